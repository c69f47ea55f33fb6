"""The codes of what a conversion assumes, or says beside its decisions: NPT5."""

from __future__ import annotations

from np2torch.rules.code import Code

ASSUMPTIONS = {
    "NPT501": Code(
        "A file that never mentions NumPy is left alone",
        "It handles arrays made elsewhere and would have to change: `--no-indirect` leaves it as it is.",
    ),
    "NPT502": Code(
        "A dtype that is assumed",
        "With `--assume float` an array of unknown dtype is taken for float64. Each expression whose dtype a decision "
        "took from the assumption is listed, and the summary counts them. The conversion is wrong where one of them "
        "is not float64: state its type instead, in an annotation, a pragma or the settings.",
    ),
    "NPT503": Code(
        "A stated type that the code contradicts",
        "A pragma or a setting says what a value is, and a call, a default or an assignment shows another. What the "
        "code shows counts; the statement only fills in what is unknown.",
        "def scale(x):  # np2torch: x: float64[n]\n    return x / x.max()\n\n\ny = scale(np.arange(5))\n",
    ),
    "NPT504": Code(
        "A stated type that cannot be read",
        "A pragma or a setting is no type such as `float64[n, 3]`, or it speaks of a name that is not bound there.",
        "def scale(x):  # np2torch: y: float64[n]\n    return x / x.max()\n",
    ),
    "NPT505": Code(
        "A rewrite that rests on a trace",
        "What the program was seen to pass filled in what the code leaves open. The conversion is right for the runs "
        "that were traced; where another run passes other dtypes or ranks it may be wrong. The summary counts these "
        "places, and `--output-format json` lists them. To rest on something firmer, state the type.",
    ),
    "NPT506": Code(
        "A trace of another text",
        "The file has changed since `np2torch trace` ran it, so that what was seen then is not used. Trace it again.",
    ),
    "NPT507": Code(
        "A float that is narrower by policy",
        "With `float = \"float32\"` every float64 of the new text is a float32, every complex128 a complex64. The "
        "summary counts the places. See [Policies](../policies.md).",
    ),
    "NPT508": Code(
        "Random numbers that are torch's by policy",
        "With `random = \"torch\"` the functions of `np.random` draw from torch's generator: other numbers than "
        "before, of the same law. Generator objects keep NumPy's stream. See [Policies](../policies.md).",
    ),
    "NPT509": Code(
        "A tensor that is made elsewhere by policy",
        "With `device` every call that makes a tensor says where, and what comes from ndarrays is moved there. See "
        "[Policies](../policies.md).",
    ),
    "NPT510": Code(
        "float64 on a device that has none",
        "The new text says float64, and the device of the settings has no such dtype: the line will raise there. "
        "Convert with `float = \"float32\"` as well.",
    ),
    "NPT511": Code(
        "A large literal, known by its kinds of items",
        "Of a literal with very many constants the analysis looks at the first items, and at one of each other kind "
        "(integers, floats, negative ones, words, rows of another make). The text of it is kept as it is. Numbers that "
        "change often belong in a data file, which np2torch need not read.",
    ),
    "NPT513": Code(
        "A pragma that is not understood",
        "A comment `# np2torch: ...` that is neither `skip`, `skip[CODES]`, `off`, `on` or `skip-file` nor states a "
        "type, or that has no effect where it stands: see [Suppressions](../suppressions.md).",
        "def ones():  # np2torch: skpi\n    return np.ones(3)\n",
    ),
    "NPT514": Code(
        "Arrays meet tensors where code was left on NumPy",
        "What a suppression, `--select` or `--ignore` leaves on NumPy takes and gives ndarrays, and the code around it "
        "has tensors. Where a name can be handed over a line beside the code does so; the other places are listed.",
        "a = np.ones(3)\ntable = {}\ntable['a'] = a.sum()  # np2torch: skip\nb = np.exp(a)\n",
    ),
    "NPT528": Code(
        "A class pattern asks an array for an attribute",
        "`case np.ndarray(size=0):` reads attributes of the value itself, and a tensor has no such attribute, or "
        "another one. Ask in a guard: `case np.ndarray() if x.size == 0:`.",
        "def kind(x):\n    match x:\n        case np.ndarray(size=0):\n            return 1\n",
    ),
    "NPT530": Code(
        "A statement that calls contradict",
        "`np2torch annotate` found that callers or the trace pass something else than an annotation, a pragma or the "
        "settings say of a parameter. What is stated stays as it is, and nothing is written for that parameter.",
    ),
    "NPT531": Code(
        "The default dtype is not set here",
        "`float = \"default\"` changes torch's default dtype for the whole process. That is for programs: files that "
        "do something by themselves, that no other file imports, in a project without torch code of its own. Other "
        "files are converted as with `float = \"numpy\"`, which is right whatever the default.",
    ),
    "NPT532": Code(
        "float64 is the default dtype of this program",
        "With `float = \"default\"` a program begins with `torch.set_default_dtype(torch.float64)`, and leaves out "
        "what that says: `dtype=` where float64 is what comes of itself, casts of integers that are divided.",
    ),
    "NPT533": Code(
        "Numbers of NumPy's own stream",
        "By default `np.random` and its generators give the very numbers they give in NumPy, seed for seed: the shim "
        "has NumPy's streams. The summary counts the places. With `random = \"torch\"` they are torch's own: other "
        "numbers, in plain torch.",
        "x = np.random.rand(3)\n",
    ),
    "NPT535": Code(
        "Left on NumPy as the setting `keep` says",
        "`np2torch migrate` found that a test fails where this is converted. Its callers use tensors, and what it "
        "calls gets them: `@shim.on_numpy` is the border. See [Always green](../migrate.md).",
    ),
    "NPT536": Code(
        "A name in `keep` that means nothing",
        "The module has no function, class or variable of that name. See [Always green](../migrate.md).",
    ),
    "NPT537": Code(
        "No guard as the setting `unguarded` says",
        "`np2torch migrate` found that a test passes what the guard of this function would refuse. Its sites are "
        "decided for whatever comes, by functions of the shim where that is needed. See [Always green](../migrate.md).",
    ),
    "NPT538": Code(
        "A name in `unguarded` that means nothing",
        "The module has no function or class of that name. See [Always green](../migrate.md).",
    ),
    "NPT540": Code(
        "A guard at the entry of a function",
        "One line makes of what a parameter may be what the body is right for, or raises a TypeError that says what "
        "came and what to write: see [Contracts](../contracts.md). An annotation, a pragma or a setting that states "
        "the type makes it unnecessary; `unknown = \"shim\"` puts functions of the shim at each site instead.",
        "from np2torch import shim\n\n\ndef f(x):\n    x = shim.floating(x)\n    return np.exp(x)\n",
    ),
    "NPT570": Code(
        "A function that numba compiles",
        "numba knows no tensors, so the function stays on NumPy as it is written. Where converted code calls it, "
        "tensors go in as ndarrays and come back as tensors; what it reads of the module's tensors "
        "is a view of them under another name (`TABLE_np`). To convert it, take the decorator away.",
        "from numba import njit\n\n\n@njit\ndef total(x):\n    return np.sum(x)\n",
    ),
    "NPT575": Code(
        "A loop that runs in NumPy",
        "It goes by elements, and each of them costs torch microseconds. The line above makes a view of the tensor's "
        "memory, which the loop reads and writes as it did before. A tensor that needs a gradient or is on another "
        "device has no such view: the line raises. `loops = \"tensor\"` keeps such loops on tensors. See "
        "[Loops](../loops.md).",
        "u = np.linspace(0.0, 1.0, 5)\nfor i in range(1, 4):\n    u[i] = (u[i - 1] + u[i + 1]) / 2\n",
    ),
    "NPT576": Code(
        "A function that runs in NumPy",
        "It takes what it is given apart and computes with the elements; each step costs torch microseconds. "
        "Tensors go in as views of their memory, and arrays come back as tensors. Where a gradient, another device or "
        "a transform of torch's is in play, the same code runs on tensors. Only with `functions = \"numpy\"`; "
        "by default these are converted as all others. See [Loops](../loops.md).",
        "",
    ),
    "NPT580": Code(
        "Tensors that are sent to another process",
        "A process gets a copy of an ndarray that is sent to it, by a pool, a queue or a pipe. torch sends no copy "
        "of a tensor but lets both processes share its memory: what one of them writes, the other one sees, and so "
        "`pool.map(f, arrays)` changes `arrays` where `f` writes its argument. Let the function that writes work on "
        "`x.clone()`. Nothing is to be done where nobody writes what was sent.",
        "from multiprocessing import Pool\n\nx = np.zeros(3)\nwith Pool() as p:\n    print(p.map(len, [x]))\n",
    ),
    "NPT581": Code(
        "The size of a tensor as Python counts it",
        "`sys.getsizeof` of an ndarray that owns its memory counts the elements. Of a tensor it counts the Python "
        "object alone, some 80 bytes. `x.nbytes` is the number of bytes of the elements on both sides.",
        "import sys\n\nx = np.zeros(3)\nprint(sys.getsizeof(x))\n",
    ),
    "NPT582": Code(
        "Arrays in a pickle",
        "A pickle holds what the program has: tensors from now on, which need torch to be read and mean nothing to a "
        "program on NumPy. A pickle of before holds ndarrays, and `pickle.load` gives them back as such, where the "
        "converted program goes on as if they were tensors. Write `shim.to_numpy(x)` and read `shim.from_numpy("
        "pickle.load(file))`, of which both look into containers and leave all else as it is: old and new files can "
        "then be read on both sides. Nothing is to be done where a pickle does not outlive the program; "
        "of `pickle.loads(pickle.dumps(x))`, a copy, nothing is said.",
        "import pickle\n\nx = np.zeros(3)\nwith open('x.pickle', 'wb') as file:\n    pickle.dump(x, file)\n",
    ),
}
