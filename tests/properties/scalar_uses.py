"""Small pieces of ordinary Python that hold, hash, show and pass on scalars, for `scalars.py` to draw from.

Each piece has a name on its first line. `{a}` is a 1-D array, `{r}` an expression for a scalar; a line `{w}` is a
statement that may write the array.
"""

from __future__ import annotations

TEXT = '''\
closure in function
def make():
    best = {r}

    def get():
        return best

    return get
f = make()
{w}
out.append(f())
---
nonlocal
total = {r}
def add(v):
    nonlocal total
    total += v
k = total
add(1)
out.append((k, total))
---
nonlocal in list
cell = [{r}]
def add(v):
    cell[0] += v
k = cell[0]
add(2)
out.append((k, cell))
---
generator function
def walk():
    for e in {a}:
        yield e
g = walk()
k = [next(g)]
{w}
k.append(next(g))
out.append(k)
---
generator of sums
def running():
    t = {a}[0]
    for e in {a}[1:]:
        yield t
        t += e
out.append(list(running()))
---
generator expression
g = (e for e in {a})
k = next(g)
{w}
out.append(k)
---
context manager
class Hold:
    def __enter__(self):
        return {r}

    def __exit__(self, *_):
        {a}[0] = 9
with Hold() as k:
    out.append(k)
out.append(k)
---
context function
@contextlib.contextmanager
def hold(q):
    yield q[0]
    q[0] = 5
with hold({a}) as k:
    out.append(+k)
out.append(k)
---
exit stack
k = []
with contextlib.ExitStack() as stack:
    stack.callback(k.append, {r})
    {a}[:] = 0
out.append(k)
---
descriptor
class First:
    def __get__(self, obj, owner=None):
        return obj.data[0]
class Has:
    first = First()

    def __init__(self, data):
        self.data = data
k = Has({a}).first
{w}
out.append(k)
---
descriptor that stores
class Kept:
    def __set_name__(self, owner, name):
        self.name = '_' + name

    def __get__(self, obj, owner=None):
        return getattr(obj, self.name)

    def __set__(self, obj, value):
        setattr(obj, self.name, value)
class Has:
    value = Kept()
k = Has()
k.value = {r}
q = k.value
k.value += 1
{w}
out.append((q, k.value))
---
property setter
class Has:
    @property
    def value(self):
        return self._value

    @value.setter
    def value(self, new):
        self._value = new
k = Has()
k.value = {r}
q = k.value
k.value *= 2
{w}
out.append((q, k.value))
---
cached property
class Has:
    def __init__(self, data):
        self.data = data

    @functools.cached_property
    def top(self):
        return self.data[0]
k = Has({a})
q = k.top
{w}
out.append((q, k.top))
---
slots
class Slot:
    __slots__ = ('p', 'q')
k = Slot()
k.p = k.q = {r}
k.p += 1
{w}
out.append((k.p, k.q))
---
getattr of unknown names
class Any:
    def __init__(self, data):
        self.data = data

    def __getattr__(self, name):
        return self.data[len(name) % 2]
k = Any({a}).p
{w}
out.append(k)
---
own getitem
class Rows:
    def __init__(self, data):
        self.data = data

    def __getitem__(self, i):
        return self.data[i]

    def __len__(self):
        return len(self.data)
rows = Rows({a})
k = rows[1]
q = list(rows)
{w}
out.append((k, q, rows[1]))
---
own iterator
class Each:
    def __init__(self, data):
        self.data, self.at = data, 0

    def __iter__(self):
        return self

    def __next__(self):
        if self.at == len(self.data):
            raise StopIteration
        self.at += 1
        return self.data[self.at - 1]
k = list(Each({a}))
p, *_ = Each({a})
{w}
out.append((k, p))
---
own call
class Picks:
    def __init__(self, i):
        self.i = i

    def __call__(self, q):
        return q[self.i]
k = Picks(1)({a})
{w}
out.append(k)
---
own contains
class Bag:
    def __init__(self):
        self.items = set()

    def put(self, e):
        self.items.add(e)
        return self

    def __contains__(self, e):
        return e in self.items
bag = Bag()
for e in {a}:
    bag.put(e)
out.append([e in bag for e in {a}])
out.append(len(bag.items))
---
own hash
class Place:
    def __init__(self, p, q):
        self.p, self.q = p, q

    def __hash__(self):
        return hash((self.p, self.q))

    def __eq__(self, other):
        return (self.p, self.q) == (other.p, other.q)
seen = {{Place({a}[0], {a}[1]): 1}}
seen[Place({a}[0], {a}[1])] = 2
out.append(list(seen.values()))
---
own order
@functools.total_ordering
class Item:
    def __init__(self, value):
        self.value = value

    def __eq__(self, other):
        return self.value == other.value

    def __lt__(self, other):
        return self.value < other.value
k = sorted(Item(e) for e in {a})
q = max(map(Item, {a}))
{w}
out.append(([e.value for e in k], q.value))
---
own arithmetic
class Money:
    def __init__(self, amount):
        self.amount = amount

    def __add__(self, other):
        return Money(self.amount + getattr(other, 'amount', other))

    __radd__ = __add__
k = sum(Money(e) for e in {a})
q = Money({r})
{w}
out.append((k.amount, q.amount))
---
class counter
class Tally:
    total = 0
    last = None

    @classmethod
    def add(cls, value):
        cls.last = value
        cls.total += value
for e in {a}:
    Tally.add(e)
k = Tally.last
{w}
out.append((Tally.total, k, Tally.last))
---
static method
class Tools:
    @staticmethod
    def first(q):
        return q[0]
k = Tools.first({a})
{w}
out.append(k)
---
instance default
class Has:
    def __init__(self, data, at=None):
        self.data = data
        self.best = data[0] if at is None else data[at]

    def step(self):
        for e in self.data:
            if e > self.best:
                self.best = e
        return self.best
h = Has({a})
k = h.step()
{w}
out.append((k, h.best))
---
dataclass post init
@dataclasses.dataclass
class Span:
    data: np.ndarray
    low: float = 0.0

    def __post_init__(self):
        self.low = self.data[0]
k = Span({a})
q = dataclasses.replace(Record({r}), others=[1])
{w}
out.append((k.low, q.value, q.others))
---
dataclass order
@dataclasses.dataclass(order=True)
class Pri:
    cost: float
    name: str = dataclasses.field(compare=False, default='n')
k = sorted(Pri(e) for e in {a})
h = []
for e in {a}:
    heapq.heappush(h, Pri(e))
{w}
out.append([p.cost for p in k])
out.append(heapq.heappop(h).cost)
---
dataclass asdict
k = dataclasses.asdict(Record({r}, [{a}[1]]))
q = dataclasses.astuple(Point({r}))
{w}
out.append((k, q))
---
dataclass equal
out.append(Point({a}[0], {a}[1]) == Point({a}[0], {a}[1]))
out.append(len({{Point(e) for e in {a}}}))
---
named tuple key
d = {{Pair({a}[0], {a}[1]): 1}}
d[Pair({a}[0], {a}[1])] = 2
out.append(len(d))
out.append(Pair({a}[0], 0) in {{Pair(e, 0) for e in {a}}})
---
named tuple replace
k = Pair({a}[0], 1)._replace(right={r})
q = Pair({r}, 2)._asdict()
{w}
out.append((tuple(k), q))
---
typing named tuple
class Two(typing.NamedTuple):
    p: float
    q: float = 0.0
k = Two({r})
{w}
out.append(tuple(k))
out.append(k.p)
---
walrus in comprehension
k = [t for e in {a} if (t := e) >= 1]
{w}
out.append((k, t))
---
walrus in while
n = 0
while (k := {a}[n]) > 3 and n < 2:
    n += 1
{w}
out.append(k)
---
walrus in call
out.append([abs(k := {r}), k])
{w}
out.append(k)
---
star arguments
def take(*args):
    return args
k = take(*{a}[:2], {r})
{w}
out.append(k)
---
keyword arguments
def take(**kw):
    kw['p'] += 1
    return kw
k = {r}
q = take(p=k)
{w}
out.append((k, q))
---
keyword only
def take(*, best={r}, rest=()):
    return best, rest
k = take(rest=[*{a}])
{w}
out.append((k, take()))
---
mutable default
def grow_list(e, into=[]):
    into.append(e)
    return into
grow_list({r})
k = grow_list({a}[1])
{w}
out.append(k)
---
nested comprehension
k = [[e for e in row] for row in m]
q = [e for row in m for e in row]
m *= 2
out.append((k, q))
---
dict of rows
k = {{n: row[0] for n, row in enumerate(m)}}
m[:] = 0
out.append(k)
---
lambda in loop
k = [lambda e=e: e for e in {a}]
q = [(lambda e: lambda: e)(e) for e in {a}]
{w}
out.append([f() for f in k + q])
---
composed
k = functools.reduce(lambda p, q: (p[1], q), {a}, (0, 0))
{w}
out.append(k)
---
partial
k = functools.partial(operator.add, {r})
{w}
out.append(k(1))
---
partial method
class Has:
    def get(self, value, by=1):
        return value
    one = functools.partialmethod(get, by=2)
k = Has().one({r})
{w}
out.append(k)
---
attrgetter
k = operator.attrgetter('first')(Box({a}))
q = operator.methodcaller('peek')(Box({a}))
{w}
out.append((k, q))
---
accumulate by function
k = list(itertools.accumulate({a}, lambda p, q: p if p > q else q))
q = list(itertools.accumulate({a}, operator.mul))
{w}
out.append((k, q))
---
itertools of several
k = list(itertools.takewhile(lambda e: e < 9, {a})) + list(itertools.dropwhile(lambda e: e < 1, {a}))
q = list(itertools.filterfalse(lambda e: e > 2, {a})) + list(itertools.compress({a}, [1, 0, 1]))
{w}
out.append((k, q))
---
itertools of pairs
k = list(itertools.zip_longest({a}, y[:2], fillvalue=0))
q = list(itertools.starmap(lambda p, q: p, zip({a}, y)))
{w}
out.append((k, q))
---
batches of iterators
k = list(zip(*[iter({a})] * 2))
{w}
out.append(k)
---
cycle
g = itertools.cycle({a})
k = [next(g) for _ in range(5)]
{w}
out.append(k)
---
count from
g = itertools.count({r})
k = [next(g), next(g)]
{w}
out.append(k)
---
groupby
k = [(p, len(list(q))) for p, q in itertools.groupby(sorted({a}))]
{w}
out.append(k)
---
groupby by key
k = {{}}
for p, q in itertools.groupby({a}, key=lambda e: e > 1):
    k.setdefault(bool(p), []).extend(q)
{w}
out.append(k)
---
runs
k = []
for e in {a}:
    if k and k[-1][0] == e:
        k[-1][1] += 1
    else:
        k.append([e, 1])
{w}
out.append(k)
---
heap of several
h = list({a})
heapq.heapify(h)
k = [heapq.heappop(h), heapq.heappushpop(h, {r}), heapq.heapreplace(h, {a}[1])]
{w}
out.append((k, sorted(h)))
---
heap by key
k = heapq.nlargest(2, {a}, key=lambda e: -e)
q = list(heapq.merge(sorted({a}), sorted(y)))
{w}
out.append((k, q))
---
bisect
k = sorted({a})
n = bisect.bisect(k, {r})
bisect.insort(k, {r})
q = bisect.bisect_left(k, {a}[0], key=lambda e: e)
{w}
out.append((n, k, q))
---
statistics
k = [statistics.median_low({a}), statistics.mode({a}), statistics.median_high(list({a}))]
{w}
out.append(k)
---
json
out.append(json.dumps({{'p': [float(e) for e in {a}], 'n': int(ix[0])}}))
out.append(json.loads(json.dumps({a}.tolist())))
---
json of scalars
try:
    out.append(json.dumps([{a}[0], {{'p': {a}[1]}}]))
except TypeError:
    out.append('no number')
---
pickle
k = pickle.loads(pickle.dumps(({r}, [{a}[1]])))
{w}
out.append(k)
---
copies
k = copy.copy([{r}, 1])
q = copy.deepcopy({{'p': ({r},)}})
p = copy.copy({r})
p += 1
{w}
out.append((k, q, p))
---
struct
out.append(struct.pack('<d', {r}))
out.append(struct.unpack('<d', struct.pack('<d', float({a}[1]))))
---
decimal
k = decimal.Decimal(float({r}))
q = decimal.Decimal(str(float({a}[0]))) + decimal.Decimal(int({a}[1]))
{w}
out.append((k, q))
---
fraction
k = fractions.Fraction(int({a}[0]), 3)
q = fractions.Fraction(float({r})).limit_denominator(5)
{w}
out.append((k, q))
---
time
k = datetime.timedelta(seconds=float({r}), days=int(ix[0]))
q = datetime.date(2020, 1, 1) + datetime.timedelta(int(ix[1]))
{w}
out.append((k, q))
---
percent
out.append('%d %5.2f %s %r' % ({a}[0], {a}[1], {a}[0], {a}[1]))
out.append('%s' % ({r},))
out.append('%(p)s' % {{'p': {r}}})
---
format
out.append('{{:>5}} {{:.2f}} {{!r}} {{}}'.format({a}[0], {a}[1], {a}[0], {a}[1]))
out.append('{{p}} {{q:>6}}'.format(p={r}, q={a}[0]))
out.append(format({r}, '.3f') + format({a}[1]))
---
f-string
k = {r}
out.append(f'{{k!r}} {{k:>8}} {{k:.2e}} {{k}} {{k=}} {{k!s}}')
out.append(f'{{[k]}} {{(k, 1)}} {{dict(p=k)}}')
---
joined text
out.append(', '.join(map(str, {a})) + ' '.join(f'{{e}}' for e in {a}) + '-'.join([str(e) for e in {a}]))
out.append(repr([{r}]) + str(({a}[0],)) + repr({{'p': {a}[1]}}))
---
text of array
out.append(str({a}) + repr({a}) + f'{{{a}}}' + '%s' % {a})
out.append(str({a}.shape) + repr(m.shape) + f'{{m.shape}}' + str({a}.dtype) + f'{{{a}.dtype}}' + repr({a}.ndim))
---
printed
with contextlib.redirect_stdout(io.StringIO()) as text:
    print({a}[0], [{a}[1]], {r}, m.shape, sep=';')
    print(f'{{m.shape}} {{m[0].shape[0]}}', end='!')
    sys.stdout.write(str({r}))
out.append(text.getvalue())
---
csv
text = io.StringIO()
csv.writer(text).writerows([[e, str(e)] for e in {a}])
out.append(text.getvalue())
---
text keys
d = {{str(e): n for n, e in enumerate({a})}}
d.update({{f'{{e}}!': e for e in {a}}})
{w}
out.append(d)
---
sort by key
k = sorted(enumerate({a}), key=lambda t: (t[1], t[0]))
q = sorted(zip({a}, y), reverse=True)
p = [(e, n) for n, e in enumerate({a})]
p.sort(key=operator.itemgetter(0))
{w}
out.append((k, q, p))
---
sort of dict
d = dict(zip('pqrs', {a}))
k = sorted(d, key=d.get)
q = max(d, key=lambda n: d[n])
p = sorted(d.items(), key=lambda t: -t[1])
{w}
out.append((k, q, p, min(d.values())))
---
extremes
k = [max({a}), min({a}, default=0), max({a}[0], {a}[1], y[0]), max(enumerate({a}), key=lambda t: t[1])]
q = min(zip({a}, range(9)))
{w}
out.append((k, q))
---
sums
k = [sum({a}), sum(e for e in {a}), sum([{r}, 1]), sum({a}, start=1), math.fsum({a}), sum([e > 1 for e in {a}])]
{w}
out.append(k)
---
any and all
out.append([any({a}), all({a}), any(e > 2 for e in {a}), all(e == e for e in {a}), any([{r}])])
---
first that
k = next((e for e in {a} if e > 1), None)
q = next(iter({a}), None)
p = next(filter(lambda e: e < 4, {a}))
{w}
out.append((k, q, p))
---
nested unpacking
for n, (p, q) in enumerate(zip({a}, y)):
    if n == 1:
        k = (p, q)
(b, c), *d = zip({a}, y)
{w}
out.append((k, b, c, d))
---
loop into attribute
for box.value in {a}:
    pass
k = box.value
{w}
out.append((k, box.value))
---
loop into item
k = [0]
for k[0] in {a}:
    pass
{w}
out.append(k)
---
swap
k, {a}[0] = {a}[0], 8
out.append(k)
p, q = {a}[0], {a}[1]
p, q = q, p
{a}[0], {a}[1] = q, p
out.append((p, q))
---
chain of targets
{a}[0] = k = {a}[1]
{a}[1] = 7
out.append(k)
k = {a}[2] = {a}[3]
{a}[3] = 6
out.append(k)
---
comparisons
k = {r}
out.append([0 <= k < 4, 1 < {a}[0] <= {a}[1] < 9, k == k != -1, not k > 2, k is not None, k is k, {a}[0] is {a}[0]])
---
ternary
k = {a}[0] if {a}[0] > {a}[1] else {a}[1] if {a}[1] else None
{w}
out.append(k)
---
boolean
k = {a}[0] and {a}[1]
q = {a}[0] or {a}[1] or 3
p = not {a}[0]
{w}
out.append((k, q, p))
---
members
k = {r}
out.append([k in (1, 2), k in [0, k], k in {{3: 1}}, k in {{1, 2, 3}}, 2 in {a}, k in {a}.tolist(), k not in range(3)])
---
members of lists
k = list({a})
out.append([{a}[1] in k, k.count({a}[0]), k.index({a}[1]), ({a}[0], 1) in [(e, 1) for e in {a}]])
k.remove({a}[0])
out.append(len(k))
---
merged dicts
p, q = {{'p': {r}}}, {{'q': {a}[1]}}
k = p | q
p |= q
p['p'] += 1
{w}
out.append((k, p, {{**p, **q}}))
---
merged by keys
p = {{e: 1 for e in {a}}}
p |= {{{a}[0]: 2}}
p.update({{{a}[1]: 3}})
q = {{**p, {a}[0]: 4}}
out.append((list(p.values()), list(q.values())))
---
dict methods
d = {{}}
d[{a}[0]] = 1
d.setdefault({a}[0], 2)
d.update({{{a}[1]: 5}})
out.append([d.get({a}[0]), d.pop({a}[1], None), len(d), {a}[0] in d.keys()])
del d[{a}[0]]
out.append(len(d))
---
ordered dict
d = collections.OrderedDict((e, n) for n, e in enumerate({a}))
d.move_to_end({a}[0])
out.append(list(d.values()))
out.append({a}[0] in d)
---
dict of pairs
d = dict([(e, n) for n, e in enumerate({a})])
d.update((e, 9) for e in {a}[:1])
out.append(list(d.values()))
out.append(dict(np.ndenumerate({a})))
---
dict of rows as pairs
d = dict(m[:, :2])
out.append(sorted(float(k) for k in d))
---
equal dicts
out.append({{'p': {r}}} == {{'p': {r}}})
out.append({{e: 1 for e in {a}}} == {{e: 1 for e in list({a})}})
---
user dict
d = collections.UserDict()
for e in {a}:
    d[e] = d.get(e, 0) + 1
out.append(list(d.values()))
---
user list
k = collections.UserList({a})
k.append({r})
{w}
out.append(list(k))
---
proxy of dict
k = types.MappingProxyType({{'p': {r}}})
{w}
out.append(k['p'])
---
set operations
s, t = set({a}), set(y)
out.append([len(s & t), len(s | t), len(s - t), len(s ^ t), s <= s | t, s.isdisjoint(t), len(s.union(t, [1]))])
s &= t
s |= {{{a}[0]}}
s.discard({a}[0])
out.append(len(s))
---
set methods
s = set()
s.update({a}, y)
s.add({r})
s.discard({a}[0])
out.append(sorted(map(float, s)))
s.difference_update({a})
s.symmetric_difference_update(y)
out.append(sorted(map(float, s)))
---
set of pairs
s = {{(int(p), q) for p, q in zip({a}, y)}}
s.update(zip(map(int, {a}), y))
out.append(len(s))
edges = {{tuple(sorted((p, q))) for p, q in zip({a}, y)}} | {{tuple(sorted((q, p))) for p, q in zip({a}, y)}}
out.append(len(edges))
---
set of frozen sets
s = {{frozenset((p, q)) for p, q in zip({a}, y)}} | {{frozenset([q, p]) for p, q in zip({a}, y)}}
out.append(len(s))
---
members that leave
s = {{{r}}}
k = s.pop()
d = {{'p': {r}}}
q = d.popitem()
{w}
out.append((float(k), q))
---
counters
c = collections.Counter({a})
c.update(y)
c.subtract(list(y))
c[{a}[0]] += 2
out.append([c[{a}[0]], sum(c.values()), c.total(), c.most_common(1)[0][1]])
d = c + collections.Counter(list({a}))
out.append(d[{a}[0]])
---
counter of tuples
c = collections.Counter(zip({a}, y))
c[{a}[0], y[0]] += 1
out.append(sorted(c.values()))
c = collections.Counter((p > 1, q) for p, q in zip({a}, y))
out.append(sorted(c.values()))
---
default dicts
c = collections.defaultdict(int)
g = collections.defaultdict(lambda: collections.defaultdict(int))
for p, q in zip({a}, y):
    c[p] += 1
    g[p][q] += 1
for p, q in zip({a}, y):
    c[p] += 1
    g[p][q] += 1
out.append((list(c.values()), [sum(v.values()) for v in g.values()]))
---
tally in a function
def tally(c, e):
    c[e] = c.get(e, 0) + 1
    return c
c = {{}}
for e in {a}:
    tally(c, e)
for e in {a}:
    tally(c, e)
out.append(list(c.values()))
---
memo in default
def slow(n, memo={{}}):
    if n not in memo:
        memo[n] = n * 2
    return memo[n], len(memo)
out.append([slow(e) for e in {a}] + [slow(e) for e in {a}])
---
memo of attribute
class Solver:
    def __init__(self):
        self.memo = {{}}

    def solve(self, p, q):
        if (p, q) in self.memo:
            return self.memo[p, q]
        self.memo[p, q] = p + q
        return self.memo[p, q]
s = Solver()
for p, q in [*zip({a}, y), *zip({a}, y)]:
    s.solve(p, q)
out.append((list(s.memo.values()), len(s.memo)))
---
cached method
class Solver:
    @functools.lru_cache(maxsize=None)
    def twice(self, n):
        return n * 2
s = Solver()
out.append([s.twice(e) for e in {a}] + [s.twice(e) for e in {a}])
out.append(Solver.twice.cache_info().currsize)
---
two sum
seen = {{}}
for n, e in enumerate({a}):
    if 5 - e in seen:
        out.append((seen[5 - e], n))
        break
    seen[e] = n
out.append(len(seen))
---
index by value
where = {{}}
for n, e in enumerate({a}):
    where.setdefault(e, []).append(n)
out.append([where[e] for e in {a}])
---
union find
parent = {{e: e for e in {a}}}
def find(e):
    while parent[e] != e:
        parent[e] = parent[parent[e]]
        e = parent[e]
    return e
for p, q in zip({a}, {a}[1:]):
    parent[find(p)] = find(q)
out.append(len({{find(e) for e in {a}}}))
---
breadth first
def reachable(edges, start):
    seen, queue = {{start}}, collections.deque([start])
    while queue:
        here = queue.popleft()
        for p, q in edges:
            if p == here and q not in seen:
                seen.add(q)
                queue.append(q)
    return seen
out.append(len(reachable(np.array([[0, 1], [1, 2], [2, 0], [3, 4]]), ix[0])))
---
dijkstra
costs = {{(p, q): m[p, q] for p in range(3) for q in range(3)}}
best, heap = {{0: 0}}, [(0, 0)]
while heap:
    cost, here = heapq.heappop(heap)
    for there in range(3):
        new = cost + costs[here, there] + 1
        if new < best.get(there, 99):
            best[there] = new
            heapq.heappush(heap, (new, there))
m[:] = 0
out.append(best)
---
longest rising
tails = []
for e in {a}:
    n = bisect.bisect_left(tails, e)
    tails[n:n + 1] = [e]
{w}
out.append(tails)
---
kadane
best = here = {a}[0]
for e in {a}[1:]:
    here = max(e, here + e)
    best = max(best, here)
{w}
out.append((best, here))
---
fibonacci
p, q = {a}[0], {a}[1]
for _ in range(4):
    p, q = q, p + q
{w}
out.append((p, q))
---
newton
k = {a}[0] + 1.0
for _ in range(3):
    last = k
    k -= (k * k - 2) / (2 * k)
out.append((k, last))
---
countdown
n, k = ix[1], []
while n > 0:
    k.append(n)
    n -= 1
out.append((k, n, ix))
---
sliding best
window, k = collections.deque(), []
for n, e in enumerate({a}):
    while window and window[-1][1] <= e:
        window.pop()
    window.append((n, e))
    k.append(window[0][1])
{w}
out.append(k)
---
majority
k, votes = None, 0
for e in {a}:
    if not votes:
        k = e
    votes += 1 if e == k else -1
{w}
out.append((k, votes))
---
matrix walk
k, q = m[0, 0], []
for row in m:
    for e in row:
        if e >= k:
            k = e
            q.append(k)
m[:] = -1
out.append((k, q))
---
best index
best, at = None, -1
for n in range(len({a})):
    if best is None or {a}[n] < best:
        best, at = {a}[n], n
{w}
out.append((best, at))
---
bubble
k = list({a})
for n in range(len(k) - 1):
    for j in range(len(k) - 1 - n):
        if k[j] > k[j + 1]:
            k[j], k[j + 1] = k[j + 1], k[j]
for n in range(len({a}) - 1):
    if {a}[n] > {a}[n + 1]:
        {a}[n], {a}[n + 1] = {a}[n + 1], {a}[n]
out.append(k)
---
insertion
for n in range(1, len({a})):
    e, j = {a}[n], n - 1
    while j >= 0 and {a}[j] > e:
        {a}[j + 1] = {a}[j]
        j -= 1
    {a}[j + 1] = e
out.append(e)
---
try and finally
def last(q):
    try:
        return q[-1]
    except IndexError:
        return None
    else:
        return 0
    finally:
        q[-1] = 9
out.append(last({a}))
---
errors
try:
    raise ValueError({r}, 'p')
except ValueError as error:
    k = error.args[0]
{w}
out.append(k)
---
error with attribute
class Odd(Exception):
    def __init__(self, value):
        super().__init__(f'odd {{value}}')
        self.value = value
try:
    raise Odd({a}[0])
except Odd as error:
    k = error
{w}
out.append((str(k), k.value))
---
suppressed
k = None
with contextlib.suppress(KeyError):
    k = {r}
    raise KeyError(k)
{w}
out.append(k)
---
coroutine
async def first(q):
    return q[0]
async def both():
    return await asyncio.gather(first({a}), first(y))
k = asyncio.run(both())
{w}
out.append(k)
---
async generator
async def each(q):
    for e in q:
        yield e
async def collected():
    return [e async for e in each({a})]
k = asyncio.run(collected())
{w}
out.append(k)
---
queues
q = queue.PriorityQueue()
for e in {a}:
    q.put((e, 'p'))
k = q.get()
s = queue.SimpleQueue()
s.put({r})
{w}
out.append((k, s.get()))
---
threads
with concurrent.futures.ThreadPoolExecutor(1) as pool:
    k = list(pool.map(lambda e: e, {a}))
    q = pool.submit(element, {a}).result()
{w}
out.append((k, q))
---
context variable
var = contextvars.ContextVar('var', default=None)
var.set({r})
{w}
out.append(var.get())
---
weak dictionary
d = weakref.WeakValueDictionary()
k = Box({a}, {r})
d['p'] = k
{w}
out.append(d['p'].value)
---
array module
k = array.array('d', {a})
k.append(float({r}))
{w}
out.append(k.tolist())
---
random choice
k = random.Random(1).choice(list({a}))
q = random.Random(2).sample(list({a}), 2)
p = list({a})
random.Random(3).shuffle(p)
{w}
out.append((k, q, p))
---
template
out.append(string.Template('$p').substitute(p={r}))
out.append(textwrap.indent(str({a}[0]), '  ') + str({a}[0]).zfill(5).rjust(9))
---
text of numbers
out.append('ab' * ix[0] + 'pqr'[ix[1]] + chr(65 + ix[0]) + hex(ix[1]) + bin(ix[0]) + str(ix[0]).zfill(ix[1] + 2))
---
lists and integers
k = [1, 2, 3, 4]
out.append([k[ix[0]], k[ix[0]:ix[1] + 1], k.pop(ix[0]), k * ix[0], list(range(ix[0], ix[1] + 3)), k[-ix[0]]])
k.insert(ix[0], 9)
del k[ix[0]]
out.append(k)
---
shapes of integers
out.append([np.zeros(ix[0]), np.ones((ix[0], ix[1])), np.arange(6).reshape(ix[1], -1), np.arange(ix[1]), np.eye(ix[1])])
out.append(np.repeat({a}, ix[1])[:ix[1]])
---
integers in math
out.append([math.gcd(ix[0], ix[1]), math.factorial(ix[1]), math.comb(4, ix[1]), pow(2, ix[1]), divmod(7, ix[1])])
out.append([int({a}[0]), round({a}[1]), float({r}), complex({a}[0], 1), abs({a}[0]), math.trunc({a}[0]), math.ceil({r})])
---
rounding
out.append([round({r}), round({a}[0] / 3, 2), round(float({a}[1]) / 3, 2), int({a}[0] / 2), {a}[0] // 2, {a}[0] % 2, {a}[0] ** 2])
---
bits
out.append([ix[0] << 2, ix[1] >> 1, ix[0] & 3, ix[0] | 4, ix[0] ^ 1, ~ix[0], bool(ix[0]), ix[1] == True])
---
bool scalars
k = {a}[0] > 1
out.append([k, not k, bool(k), k and 1, k or 2, k == True, k + 1, sum([k, k]), k & True, int(k)])
---
bool counts
flags = {a} > 1
n = 0
for flag in flags:
    n += flag
    if flag is True:
        n += 100
out.append((n, flags.sum(), flags[0]))
---
augmented in dict of lists
d = {{'p': [{r}, 1]}}
k = d['p'][0]
d['p'][0] += 1
{w}
out.append((k, d))
---
augmented in objects
boxes = {{'p': Box(y, {r})}}
k = boxes['p'].value
boxes['p'].value += 2
{w}
out.append((k, boxes['p'].value))
---
augmented in nested
k = {{'p': {{'q': {r}}}}}
q = k['p']
q['q'] *= 3
p = q['q']
q['q'] -= 1
{w}
out.append((k, p))
---
augmented of results
p = q = np.take({a}, 0)
p += 1
out.append((p, q))
p = q = element({a})
p *= 2
out.append((p, q))
p = q = np.dot({a}, y)
p -= 1
out.append((p, q))
---
augmented in tuple of list
k = ([{r}], 1)
q = k[0][0]
k[0][0] += 1
{w}
out.append((k, q))
---
augmented parameter
def bump(v, by=1):
    v += by
    return v
k = {r}
q = bump(k)
p = bump({a}[0], k)
out.append((k, q, p))
---
augmented default
def bump(v, total={r}):
    total += v
    return total
out.append([bump(1), bump(1)])
---
augmented global
BEST['count'] = {r}
k = BEST['count']
BEST['count'] += 1
{w}
out.append((k, BEST['count']))
---
augmented class attribute
Box.shared = {r}
k = Box.shared
Box.shared += 1
b = Box({a})
b.shared += 2
{w}
out.append((k, Box.shared, b.shared))
---
augmented through names
t = {a}
t *= 2
d = {{'x': {a}}}
d['x'] += 1
held = [{a}]
held[0] -= 1
out.append({a}[0])
---
reversed view
k = {a}[::-1]
q = k[0]
{w}
out.append((q, k[1]))
---
index by small integers
img = np.array([[0, 1], [2, 1]]).astype(np.uint8)
table = {a} * 10
out.append((table[img], table[img[0]], table[img[1, 0]]))
---
zero dimensions
k = np.array({a}[0])
q = np.asarray({a}[1])
z = k
k += 1
{w}
out.append((k, z, q, k.ndim, k[()], q.item()))
---
kind of zero dimensions
out.append([isinstance(e, np.ndarray) for e in (np.array(2.0), {a}[0], {r}, np.asarray({a}[1]), 3)])
out.append([np.ndim(e) for e in (np.array(2.0), {a}[0], {r}, 3)])
---
kinds in a function
def describe(v):
    if isinstance(v, np.ndarray):
        return 'array', v.ndim
    if isinstance(v, (float, np.floating)):
        return 'float'
    if isinstance(v, (int, np.integer)):
        return 'int'
    return type(v).__name__
out.append([describe(v) for v in ({a}, {a}[0], {r}, 1, 2.0, 'p', None, ix[0], m[0], m[0, 0], {a}[0] > 1, np.array(1.0))])
---
kinds by type
k = {r}
out.append([type(k) is np.float64, type(k) == float, type(k) in (int, float), type(k) is type({a}[0]), type(k) is np.ndarray])
out.append([type(k) is np.int64, type(k) is type({a}), type(k).__name__, k.__class__ is np.float32])
---
kinds by class
k = {r}
out.append([issubclass(type(k), np.ndarray), issubclass(type(k), float), issubclass(type(k), np.integer)])
out.append([issubclass(type(k), np.generic), issubclass(type({a}), np.ndarray), issubclass(type(k), (int, np.floating))])
---
kinds by match
def describe(v):
    match v:
        case np.ndarray(ndim=2):
            return 'matrix'
        case np.ndarray():
            return 'array'
        case bool() | np.bool_():
            return 'bool'
        case float(e):
            return 'float', e
        case int() | np.integer():
            return 'int'
        case np.floating():
            return 'floating'
        case [p, q]:
            return describe(p), describe(q)
        case {{'p': p}}:
            return describe(p)
        case str():
            return 'text'
    return 'other'
out.append([describe(v) for v in ({a}, {a}[0], {r}, 1, 2.0, 'p', None, ix[0], m, m[0, 0], {a}[0] > 1, [{a}[0], 1], {{'p': {a}[1]}})])
---
kinds by match of values
def describe(v):
    match v:
        case 0 | 1:
            return 'small'
        case 2.0:
            return 'two'
        case e if e > 3:
            return 'large', e
        case numbers.Real():
            return 'real'
        case _:
            return 'other'
out.append([describe(e) for e in {a}])
k = describe({a}[0])
{w}
out.append(k)
---
kinds by table
names = {{float: 'float', int: 'int', np.ndarray: 'array', np.float64: 'double', np.int64: 'long'}}
out.append([names.get(type(e), 'other') for e in ({a}, {a}[0], 1, 2.0, 'p', {r})])
---
kinds by dispatch
class Shows:
    @functools.singledispatchmethod
    def show(self, v):
        return 'other'

    @show.register
    def _(self, v: float):
        return 'float'

    @show.register
    def _(self, v: int):
        return 'int'
out.append([Shows().show(v) for v in ({a}[0], 1, 2.0, 'p', ix[0])])
---
kinds by number
k = {r}
out.append([isinstance(k, numbers.Number), isinstance(k, numbers.Integral), isinstance(k, complex), np.isscalar(k)])
out.append([isinstance(k, collections.abc.Iterable), isinstance(k, collections.abc.Hashable), isinstance(k, (list, np.ndarray))])
out.append([hasattr(k, '__iter__'), hasattr(k, 'shape'), hasattr(k, '__len__'), hasattr(k, 'item'), callable(k)])
---
kinds by trial
def is_number(v):
    try:
        float(v)
    except (TypeError, ValueError):
        return False
    return True
def has_length(v):
    try:
        return len(v)
    except TypeError:
        return None
out.append([(is_number(v), has_length(v)) for v in ({a}, {a}[0], {r}, 'p', 1, m)])
---
kinds by attribute
k = {r}
out.append([k.dtype == {a}.dtype, k.ndim, k.shape, k.size, k.item(), k.dtype.kind, str(k.dtype), k.dtype.name])
---
flat items
k = [{a}.item(0), {a}.flat[1], {a}.tolist()[0], *{a}.flat]
{w}
out.append(k)
---
enumerated array
k = [(n, e) for n, e in np.ndenumerate(m)]
q = [m[n] for n in np.ndindex(2, 2)]
m[:] = 0
out.append((k, q))
---
global name
global KEPT
KEPT = {r}
k = KEPT
KEPT += 1
{w}
out.append((k, KEPT))
---
function attribute
def f():
    f.count += 1
    return f.last
f.count, f.last = 0, {r}
k = f()
{w}
out.append((k, f.count, f.last))
---
type cast
k = typing.cast(float, {r})
q = typing.cast('np.ndarray', {a})
q[0] = 3
{w}
out.append(k)
---
vars and setattr
b = Box({a})
vars(b).update(value={r})
setattr(b, 'extra', {a}[1])
k = getattr(b, 'extra')
{w}
out.append((b.value, k, b.__dict__['extra']))
---
object of names
k = types.SimpleNamespace(**{{'p': {r}, 'q': {a}[1]}})
k.p += 1
{w}
out.append((k.p, k.q))
---
slices of lists
k = [*{a}]
q = k[:2]
k[0] += 5
k[1:3] = [{a}[0], {r}]
{w}
out.append((k, q))
---
list arithmetic
k = [{r}] + list({a}) + [{a}[0]] * 2
k += (e for e in {a})
k.extend(map(lambda e: e, {a}))
{w}
out.append(k)
---
deque
k = collections.deque({a}, maxlen=3)
k.append({r})
k.appendleft({a}[1])
k.extend({a}[:1])
k.rotate(1)
{w}
out.append(list(k))
---
deque in place
k = collections.deque([{r}])
k[0] += 1
q = k[0]
k[0] *= 2
{w}
out.append((q, list(k)))
---
string building
s = ''
for n, e in enumerate({a}):
    s += f'{{n}}:{{e}},' + str(e) + ('%g' % e)
out.append(s)
---
views and elements
p, q = {a}[:2], {a}[2]
(b, c), d = {a}[:2], {a}[3]
{w}
out.append((p, q, b, c, d))
---
called from a dict
table = {{'first': lambda q: q[0], 'sum': np.sum, 'max': max}}
k = [f({a}) for f in table.values()]
{w}
out.append(k)
---
recursion
def deepest(q, n=0):
    return q[n] if n == len(q) - 1 else max(q[n], deepest(q, n + 1))
def halves(q):
    return [q[0]] if len(q) == 1 else halves(q[:len(q) // 2]) + halves(q[len(q) // 2:])
k, s = deepest({a}), halves({a})
{w}
out.append((k, s))
---
yield from
def tree(q):
    if len(q) > 1:
        yield from tree(q[:len(q) // 2])
        yield from tree(q[len(q) // 2:])
    else:
        yield q[0]
k = list(tree({a}))
{w}
out.append(k)
---
decorated
def logged(f):
    calls = []

    @functools.wraps(f)
    def wrapper(*args):
        result = f(*args)
        calls.append(result)
        return result, calls
    return wrapper
k, calls = logged(lambda q: q[0])({a})
{w}
out.append((k, calls))
---
iterated twice
g, h = itertools.tee(e for e in {a})
k = [*g]
{w}
out.append(k)
---
typed dict
k: dict[str, float] = {{}}
k['p'] = {r}
q: list[float] = [k['p']]
q[0] += 1
{w}
out.append((k, q))
'''


def pieces(text: str) -> dict[str, str]:
    """The pieces of a text by name."""
    found: dict[str, str] = {}
    for piece in text.split("---\n"):
        name, _, body = piece.partition("\n")
        assert name not in found, name
        found[name] = body.rstrip("\n")
    return found


USES = pieces(TEXT)
"""The pieces by name."""
