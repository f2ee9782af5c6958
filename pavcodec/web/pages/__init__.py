"""The pages: questions from forms and links, answers as HTML.

A module has the routes of a page and what its template needs beyond the answer of a task. `page`
has what all share: it makes a question of an address or a form, asks the workers, and renders the
answer or the problem; it has the pages of errors as well. An address holds a whole question, and
files travel in the page, so the server keeps nothing.
"""
