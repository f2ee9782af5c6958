"""The JSON interface: an application of its own with a route for each task.

interface    the application, its errors as problems
document     the OpenAPI document
routes       a task at its name, by POST and, for flat questions, by GET
sharing      other sites may read the answers
"""
