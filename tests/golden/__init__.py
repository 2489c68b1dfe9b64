"""What the assistant does today, kept so that a change that must change nothing can be seen to change nothing."""
