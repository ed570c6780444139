"""A plan as the rows with typed output ask for it in shape `dag`; in words and as JSON schema it stands in `shapes.py`."""

from pydantic import BaseModel


# A docstring here would be sent to the model.
class Plan(BaseModel):
    subtasks: list[str]
