"""Tables about source: the call stack and the loop variables of each instruction."""

from __future__ import annotations

from trainyard.view.explorer.recorded import Columns, Recorded, kernel_names


def places_of(recorded: Recorded) -> tuple[list[str], list[str]]:
    """Of each instruction FILE:LINE, "" where it is not known, and its frames, innermost first."""
    labels = recorded.timeline.labels
    frames, strings = labels["frames"], labels["strings"]
    places, stacks = [], []
    for frame in labels["instructions"]["frame"]:
        places.append(f"{strings[frames['file'][frame]]}:{frames['line'][frame]}" * (frame >= 0))
        stack = []
        while frame >= 0:
            stack.append(frame)
            frame = frames["parent"][frame]
        stacks.append(str(stack))
    return places, stacks


def tables_of(recorded: Recorded) -> dict[str, Columns]:
    """Stack frames twice, as profiles of a model and as those of a kernel name them."""
    labels = recorded.timeline.labels
    frames, strings = labels["frames"], labels["strings"]
    files, functions = (sorted(set(frames[key])) for key in ("file", "function"))
    count = len(frames["parent"])
    made: dict[str, Columns] = {
        "StackFrame": {
            "id": [str(i) for i in range(count)],
            "file_location_id": list(range(count)),
            "parent_frame_id": [str(one) if one >= 0 else "" for one in frames["parent"]],
        },
        "StackFrameFileLocation": {
            "id": [str(i) for i in range(count)],
            "file_name_id": [files.index(one) for one in frames["file"]],
            "function_name_id": [functions.index(one) for one in frames["function"]],
            "line_number": frames["line"],
        },
        "KernelStackFrames": {
            "stack_frame_id": list(range(count)),
            "fully_qualified_function_name": [strings[one] for one in frames["function"]],
            "parent_stack_frame_id": [one if one >= 0 else None for one in frames["parent"]],
            "pcore_idx": [0] * count,
            "file_path": [strings[one] for one in frames["file"]],
            "line_number": frames["line"],
        },
    }
    for table, texts in (("StackFrameFileName", files), ("StackFrameFunctionName", functions)):
        ids = [str(i) for i in range(len(texts))]
        made[table] = {"id": ids, "name": [strings[one] for one in texts]}
    return made | _kernel_tables(recorded)


def _kernel_tables(recorded: Recorded) -> dict[str, Columns]:
    """The frame and the loop variables of each run of an instruction."""
    found = recorded.engines
    labels = recorded.timeline.labels
    instructions, frames, strings = labels["instructions"], labels["frames"], labels["strings"]
    depths: list[int] = []
    for parent in frames["parent"]:  # parents stand before their children
        depths.append(depths[parent] + 1 if parent >= 0 else 0)
    # By (name, value, outer variable), so that runs of one iteration share their variables.
    variables: dict[tuple[str, int, int | None], int] = {}
    innermost: list[int | None] = []
    levels: list[int] = []
    for i, n in zip(found.instruction.tolist(), found.iteration.tolist(), strict=True):
        outer: int | None = None
        nest = labels["nests"][instructions["nest"][i]] if labels["nests"] else []
        for name, value in indices_of(nest, n):
            key = (strings[name], value, outer)
            outer = variables.setdefault(key, len(variables))
        innermost.append(outer)
        levels.append(len(nest))
    which = [instructions["frame"][i] for i in found.instruction.tolist()]
    files = [strings[frames["file"][frame]] if frame >= 0 else None for frame in which]
    return {
        "KernelInstructions": {
            "kernel_instruction_name": kernel_names(found),
            "stack_frame_id": [frame if frame >= 0 else None for frame in which],
            "stack_frame_depth": [depths[frame] if frame >= 0 else None for frame in which],
            "iteration_variables_id": innermost,
            "iteration_variable_depth": levels,
            "pcore_idx": recorded.cores(found.track),
            "file_path": files,
            "line_number": [frames["line"][frame] if frame >= 0 else None for frame in which],
        },
        "KernelIterationVariables": {
            "iteration_variable_id": list(variables.values()),
            "variable_name": [name for name, _, _ in variables],
            "variable_value": [value for _, value, _ in variables],
            "parent_iteration_variable_id": [outer for _, _, outer in variables],
            "pcore_idx": [0] * len(variables),
        },
    }


def indices_of(nest: list[list[int]], iteration: int) -> list[tuple[int, int]]:
    """Name and value of each loop variable, outermost first; the innermost loop turns fastest."""
    values = []
    for name, first, step, trips in reversed(nest):
        trip = iteration % trips if trips else iteration
        iteration = iteration // trips if trips else 0
        values.append((name, first + step * trip))
    return values[::-1]
