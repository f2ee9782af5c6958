"""The pages: questions from forms and links, answers as HTML."""
