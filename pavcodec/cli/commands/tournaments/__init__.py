"""Commands on tournaments: the deals of Big Deal, and events of SquareDeal.

`squaredeal` has modules for its actions; `club` does the steps of an evening in one or two
calls. `squaredeal_options` has the options and the advice that the actions share.
"""
