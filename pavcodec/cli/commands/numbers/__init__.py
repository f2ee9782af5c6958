"""Commands for numbers and codes of many layouts: encode, decode and identify.

`encode` and `decode` are inverse for each form that `pavcodec.questions.coders` has.
"""
