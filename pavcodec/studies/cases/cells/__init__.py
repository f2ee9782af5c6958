"""The deck, the plan and the cells of a case listing."""
