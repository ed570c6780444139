// The Python side of `run_python`, the same for both interpreters: runs a program as `__main__`, and says as JSON what its last expression comes to or
// how it failed. It is text, not a module of ours. Nothing here keeps a program in: that is done around the interpreter.

/** Defines `run(code, libraries)`, which gives JSON. */
export const PYTHON_RUNNER = `
import ast, json, random, sys

def place_of(error):
    line = error.lineno if isinstance(error, SyntaxError) and error.filename == 'code.py' else None
    trace = error.__traceback__
    while trace is not None:
        if trace.tb_frame.f_code.co_filename == 'code.py':
            line = trace.tb_lineno
        trace = trace.tb_next
    return '' if line is None else f' (code.py:{line})'

def described(error, libraries):
    message = error.msg if isinstance(error, SyntaxError) else str(error)
    if isinstance(error, ModuleNotFoundError):
        message = f'No module named {error.name!r}; there are {libraries}'
    return f'{type(error).__name__}: {message}{place_of(error)}'

def run(code, libraries):
    random.seed(0)
    outcome = {}
    try:
        tree = ast.parse(code, 'code.py')
        last = tree.body.pop().value if tree.body and isinstance(tree.body[-1], ast.Expr) else None
        scope = {'__name__': '__main__'}
        exec(compile(tree, 'code.py', 'exec'), scope)
        if last is not None:
            value = eval(compile(ast.Expression(last), 'code.py', 'eval'), scope)
            if value is not None:
                outcome['value'] = repr(value)[:100_000]
    except SystemExit as leave:
        if leave.code not in (None, 0):
            outcome['error'] = f'SystemExit: {leave.code}{place_of(leave)}'
    except MemoryError:
        outcome['stopped'] = 'memory'
    except BaseException as error:
        outcome['error'] = described(error, libraries)[:10_000]
    try:
        sys.stdout.flush()
    except Exception:
        pass
    return json.dumps(outcome)
`;
