"""The JSON interface: an application of its own with a route for each task.

interface    the application, which serves its OpenAPI document
routes       a task at its name, by POST and, for flat questions, by GET
problems     errors as answers with one problem
sharing      other sites may read the answers
"""
