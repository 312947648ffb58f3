"""What the importers of Ascend share: tasks and their names, timelines, tables, simulated cores, blocks."""
