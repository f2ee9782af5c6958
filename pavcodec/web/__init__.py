"""Pavcodec in the browser: pages, a JSON interface, and the server for both.

One idea carries the room: a *task* is a pure function from a question to an answer, and both are
typed values. A page and the JSON interface send the same question to the same task. The workers run
tasks in processes of their own, with limits of time, memory and output, so no question blocks
another.

    application   routes, lifetime
    pages | api   questions from forms and links, answers as HTML | questions and answers as JSON
    safety        headers, rates, sizes of requests, health
    workers       processes that run tasks, limits, faults
    tasks         the questions, the answers, and the functions between them
    settings      the limits of a server

`pavcodec serve` starts it. It needs the extra `club`.
"""
