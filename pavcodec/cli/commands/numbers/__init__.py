"""Commands for numbers and codes of layouts: encode, decode, identify and numberings.

`encode` and `decode` are inverse for each form that `options.coders` has.
"""
