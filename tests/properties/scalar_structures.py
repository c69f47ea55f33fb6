"""More small pieces, in the form of `scalar_uses.py`: getters, rows, own containers, caches, searches, exchange formats."""

from __future__ import annotations

HELPERS = '''

class Track(list):
    """A list of its own."""

    def put(self, value):
        self.append(value)
        return self


class Registry(collections.UserDict):
    """A mapping that counts, by way of `collections`."""

    def __missing__(self, key):
        self[key] = 0
        return 0

    def bump(self, key, by=1):
        self[key] += by
        return self[key]


class Table(collections.abc.MutableMapping):
    """A mapping that holds a dict."""

    def __init__(self, pairs=()):
        self.held = {}
        self.update(pairs)

    def __getitem__(self, key):
        return self.held[key]

    def __setitem__(self, key, value):
        self.held[key] = value

    def __delitem__(self, key):
        del self.held[key]

    def __iter__(self):
        return iter(self.held)

    def __len__(self):
        return len(self.held)


class Bag(collections.abc.MutableSet):
    """A set that holds a dict."""

    def __init__(self, items=()):
        self.held = {}
        for item in items:
            self.add(item)

    def __contains__(self, item):
        return item in self.held

    def __iter__(self):
        return iter(self.held)

    def __len__(self):
        return len(self.held)

    def add(self, item):
        self.held[item] = self.held.get(item, 0) + 1

    def discard(self, item):
        self.held.pop(item, None)


class Row(collections.abc.Sequence):
    """A sequence that reads an array."""

    def __init__(self, data):
        self.data = data

    def __getitem__(self, number):
        return self.data[number]

    def __len__(self):
        return len(self.data)


class Recent(collections.OrderedDict):
    """A mapping that drops what was not asked for."""

    def fetch(self, key, function):
        if key in self:
            self.move_to_end(key)
        else:
            self[key] = function(key)
        if len(self) > 2:
            self.popitem(last=False)
        return self[key]


class Vector:
    __slots__ = ("p", "q")

    def __init__(self, p, q):
        self.p, self.q = p, q

    def __iter__(self):
        yield self.p
        yield self.q

    def __eq__(self, other):
        return tuple(self) == tuple(other)

    def __hash__(self):
        return hash(tuple(self))

    def __iadd__(self, other):
        self.p += other.p
        self.q += other.q
        return self


class Account:
    opened = 0

    def __init__(self, start):
        self.balance = start
        self.history = [start]
        self.saved = {}

    def add(self, value):
        self.balance += value
        self.history.append(self.balance)
        return self.balance

    def save(self, name):
        self.saved[name] = self.balance

    def back(self, name):
        self.balance = self.saved[name]


TOTAL = 0
COSTS = {}


def feed(value):
    global TOTAL
    TOTAL += value
    return TOTAL


def cost(p, q):
    try:
        return COSTS[p, q]
    except KeyError:
        COSTS[p, q] = found = abs(p - q)
        return found


def window(items, size):
    held = collections.deque(maxlen=size)
    for item in items:
        held.append(item)
        if len(held) == size:
            yield tuple(held)


@functools.lru_cache(maxsize=None)
def distance(p, q):
    if not p or not q:
        return len(p) + len(q)
    return min(distance(p[1:], q) + 1, distance(p, q[1:]) + 1, distance(p[1:], q[1:]) + (p[0] != q[0]))
'''

TEXT = '''\
item getter kept
get = operator.itemgetter(1)
k = [get({a}), get(list({a}))]
{w}
out.append((k, get({a})))
---
item getter of several
get = operator.itemgetter(0, 2)
p, q = get({a})
{w}
out.append((p, q))
---
item getter in map
k = list(map(operator.itemgetter(0), m))
q = [*map(operator.itemgetter(0, 1), m)]
m[:] = 0
out.append((k, q))
---
item getter in dict
table = {{'first': operator.itemgetter(0), 'last': operator.itemgetter(-1)}}
k = {{name: get({a}) for name, get in table.items()}}
{w}
out.append(k)
---
method getter
get = operator.methodcaller('__getitem__', 1)
top = operator.methodcaller('max')
k = [get({a}), top({a})]
{w}
out.append(k)
---
bound getter
get = {a}.__getitem__
k = [get(0), get(1)]
q = list(map(get, [0, 2]))
{w}
out.append((k, q, max(range(4), key=get)))
---
partial getter
get = functools.partial(operator.getitem, {a})
k = [get(0), get(i)]
{w}
out.append((k, get(0)))
---
getter of attribute
class Has:
    data = {a}
    get = operator.itemgetter(0)
k = operator.attrgetter('data')(Has)[0]
{w}
out.append(k)
---
rows of zip
for p, q in zip(m, m[1:]):
    k = p[0], q[1]
m[:] = 0
out.append(k)
---
rows unpacked
(b, c, d), *rest = m
m[:] = 0
out.append((b, c, d))
---
rows in loop
k = []
for p, q, r in m:
    k.append((p, r))
m[:] = 0
out.append(k)
---
rows star
k = [p for p, *_ in m]
q = [(p, rest) for p, *rest in m]
m[:] = 0
out.append((k, q))
---
rows transposed
k = list(zip(*m))
q = [list(column) for column in zip(*m)]
p = list(map(max, zip(*m)))
m[:] = 0
out.append((k, q, p))
---
rows to tuples
k = [tuple(row) for row in m]
q = list(map(tuple, m))
p = {{tuple(row) for row in m}}
m[:] = 0
out.append((k, q, len(p)))
---
rows as keys
d = {{tuple(row): n for n, row in enumerate(m)}}
out.append([d[tuple(row)] for row in m])
out.append(len({{*map(tuple, m)}} | {{tuple(m[0])}}))
---
rows as pairs
d = {{p: q for p, q, _ in m}}
e = dict((row[0], row[1]) for row in m)
m[:] = 0
out.append((sorted(map(float, d)), list(e.values())))
---
rows chained
k = list(itertools.chain.from_iterable(m))
q = [*itertools.chain(*m)]
p = sum(map(list, m), [])
m[:] = 0
out.append((k, q, p))
---
rows sorted
k = sorted(map(tuple, m), key=operator.itemgetter(1))
q = sorted(m.tolist())
p = min(map(tuple, m))
m[:] = 0
out.append((k, q, p))
---
rows of pairs
pairs = np.array([[0, 1], [1, 2], [0, 2]])
graph = {{}}
for p, q in pairs:
    graph.setdefault(p, []).append(q)
pairs[:] = 9
out.append(sorted((int(p), [int(e) for e in q]) for p, q in graph.items()))
---
rows by index
k = [m[n][0] for n in range(3)] + [m[n, n] for n in range(3)]
q = [row[1] for row in m if row[0] >= 0]
m *= 2
out.append((k, q))
---
own list
k = Track({a})
k.put({r})
q = k[0]
k[0] += 1
{w}
out.append((list(k), q))
---
own list of literal
class Stack(list):
    def push(self, value):
        self.append(value)
        return value
k = Stack()
q = k.push({r})
k.extend({a})
k[-1] *= 2
{w}
out.append((k.pop(), q, k[0]))
---
own registry
d = Registry()
for e in [*{a}, *{a}]:
    d.bump(e)
out.append((list(d.values()), {a}[0] in d, d[{a}[1]], len(d)))
---
own registry of values
d = Registry(p={r})
k = d['p']
d.bump('p', 2)
d['p'] *= 2
{w}
out.append((k, d['p'], d.get('p')))
---
user dict of keys
d = collections.UserDict({{{a}[0]: 1}})
d[{a}[0]] = 2
d.setdefault({a}[0], 3)
d.update({{{a}[1]: 1}})
d[{a}[1], 0] = 1
d[{a}[1], 0] = 2
out.append((list(d.values()), {a}[0] in d, d.get({a}[1]), d.pop({a}[0])))
---
user dict of pairs
d = collections.UserDict(zip({a}, y))
d.update(zip({a}, {a}))
k = d[{a}[0]]
{w}
out.append((list(d.values()), k))
---
own mapping
d = Table()
for e in {a}:
    d[e] = d.get(e, 0) + 1
d.update(zip(y, {a}))
d.setdefault({a}[0], 7)
k = d.pop({a}[1])
{w}
out.append((sorted(d.values()), k, len(d)))
---
own mapping of pairs
d = Table([({a}[0], 'p'), ({a}[0], 'q')])
out.append((len(d), {a}[0] in d, d.get({a}[0]), d == {{float({a}[0]): 'q'}}))
---
own set
s, t = Bag({a}), Bag(y)
out.append([len(s & t), len(s | t), len(s - t), s <= t, {a}[0] in s, s.isdisjoint(t), len(s ^ t)])
s |= t
s.discard({a}[0])
out.append((len(s), {a}[0] in s))
---
own sequence
k = Row({a})
p, q = k[0], list(k)
g = iter(k)
b = next(g)
c, *d = k
out.append([{a}[1] in k, k.index({a}[1]), k.count({a}[0])])
{w}
out.append((p, q, b, c, d, next(g)))
---
own recent
d = Recent()
k = [d.fetch(e, lambda w: w * w) for e in [*{a}, *y]]
{w}
out.append((k, list(d.values())))
---
own mapping of dict
class Groups(dict):
    def __missing__(self, key):
        self[key] = []
        return self[key]
d = Groups()
for n, e in enumerate({a}):
    d[e].append(n)
out.append((list(d.values()), {a}[0] in d, d.get({a}[1])))
---
own mapping by key
class Folded(dict):
    def __setitem__(self, key, value):
        super().__setitem__(key % 3, value)

    def __getitem__(self, key):
        return super().__getitem__(key % 3)
d = Folded()
for n, e in enumerate({a}):
    d[e] = n
out.append([d[e] for e in {a}])
---
vectors as keys
s = {{Vector({a}[0], {a}[1]), Vector({a}[0], {a}[1])}}
k = Vector({r}, 1)
p = k.p
k += Vector(1, 2)
{w}
out.append((len(s), p, k.p, Vector({a}[0], {a}[1]) in s or 'gone', [*k]))
---
account
k = Account({r})
k.save('p')
q = k.balance
for e in {a}:
    k.add(e)
p = k.balance
k.back('p')
k.add(1)
{w}
out.append((k.history, k.balance, k.saved, p, q))
---
account by class
class Bank(Account):
    def __init__(self, data):
        super().__init__(data[0])
        self.also = self.balance
        Account.opened += data[1]
k = Bank({a})
k.add({r})
k.also *= 2
{w}
out.append((k.balance, k.also, Account.opened, k.history))
Account.opened = 0
---
global total fed
k = [feed(e) for e in {a}]
q = feed(0)
p = list(map(feed, y))
{w}
out.append((k, q, p))
---
nonlocal in comprehension
total = {r}
def plus(v):
    nonlocal total
    total += v
    return total
start = total
k = [plus(e) for e in {a}]
q = {{n: plus(e) for n, e in enumerate({a})}}
p = list(map(plus, y))
{w}
out.append((start, k, q, p, total))
---
nonlocal count
count = {r}
def tick():
    nonlocal count
    count += 1
    return count
k = [tick() for _ in range(3)]
q = sorted([3, 1, 2], key=lambda e: tick())
out.append((k, q, count))
---
nonlocal best
best, at = None, None
def see(n, v):
    nonlocal best, at
    if best is None or v > best:
        best, at = v, n
for n, e in enumerate({a}):
    see(n, e)
{w}
out.append((best, at))
---
closure pair
def counter(start):
    value = start
    def up(by=1):
        nonlocal value
        value += by
        return value
    def show():
        return value
    return up, show
up, show = counter({r})
k = [up(), up({a}[1]), show()]
{w}
out.append((k, show()))
---
costs by pair
k = [cost(p, q) for p in {a} for q in y] + [cost(p, q) for p in {a} for q in y]
{w}
out.append((k, len({{cost(p, q) for p in {a} for q in y}})))
COSTS.clear()
---
costs counted
k = [cost(p, q) for p, q in zip({a}, y)]
k += [cost(p, q) for p, q in zip({a}, y)]
out.append((k, len(COSTS)))
COSTS.clear()
---
edit distance
out.append((distance(tuple({a}), tuple(y)), distance(tuple({a}), tuple({a}))))
---
knapsack
memo = {{}}
def best(n, room):
    if n == len({a}) or room <= 0:
        return 0
    if (n, room) not in memo:
        memo[n, room] = best(n + 1, room)
        if y[n] <= room:
            memo[n, room] = max(memo[n, room], {a}[n] + best(n + 1, room - y[n]))
    return memo[n, room]
k = best(0, y[-1] + 1)
{w}
out.append((k, len(memo)))
---
subset sums
s = {{0}}
for e in {a}:
    s |= {{e + t for t in s}}
out.append(sorted(map(float, s)))
---
transitions
t = collections.defaultdict(collections.Counter)
for seq in ({a}, y, {a}):
    for p, q in zip(seq, seq[1:]):
        t[p][q] += 1
out.append(sorted((float(p), sorted((float(q), n) for q, n in c.items())) for p, c in t.items()))
---
inverted index
where = {{}}
for n, row in enumerate(m):
    for e in row:
        where.setdefault(e, set()).add(n)
m[:] = 0
out.append(sorted((float(e), sorted(s)) for e, s in where.items()))
---
ranks
rank = {{e: n for n, e in enumerate(sorted(set({a})))}}
k = [rank[e] for e in {a}]
q = list(map(rank.get, {a}))
p = sorted({a}, key=rank.__getitem__)
b = [rank.get(e, -1) for e in y]
{w}
out.append((k, q, p, b))
---
sparse matrix
d = {{(p, q): m[p, q] for p in range(3) for q in range(3) if m[p, q]}}
t = {{(q, p): e for (p, q), e in d.items()}}
for p in d:
    d[p] *= 2
for p in list(t):
    t[p] += d.get(p, 0)
m[:] = 0
out.append((d, t))
---
polynomial
p, q = dict(enumerate({a})), {{n: e for n, e in enumerate(y)}}
k = collections.defaultdict(float)
for b, c in p.items():
    for d, e in q.items():
        k[b + d] += c * e
p[0] += 1
{w}
out.append((dict(k), p, q))
---
flood
seen, sizes = set(), []
for place in np.argwhere(m > 0):
    stack, size = [tuple(place)], 0
    while stack:
        p, q = stack.pop()
        if (p, q) in seen or not (0 <= p < 3 and 0 <= q < 3) or m[p, q] <= 0:
            continue
        seen.add((p, q))
        size += 1
        stack += [(p + 1, q), (p, q + 1), (p - 1, q), (p, q - 1)]
    sizes.append(size)
out.append((sorted(sizes), len(seen)))
---
shortest way
w, start, goal = m + 1, (0, 0), tuple(ix)
best, before, heap = {{start: w[start]}}, {{}}, [(w[start], start)]
while heap:
    length, p = heapq.heappop(heap)
    for b, c in ((0, 1), (1, 0), (0, -1), (-1, 0)):
        q = p[0] + b, p[1] + c
        if 0 <= q[0] < 3 and 0 <= q[1] < 3 and (q not in best or length + w[q] < best[q]):
            best[q], before[q] = length + w[q], p
            heapq.heappush(heap, (best[q], q))
w[:] = 0
out.append((best[goal], len(best)))
---
order by degree
edges, after, degree = np.array([[0, 1], [0, 2], [1, 3], [2, 3]]), collections.defaultdict(list), collections.Counter()
for p, q in edges:
    after[p].append(q)
    degree[q] += 1
    degree[p] += 0
todo, k = collections.deque(n for n in degree if not degree[n]), []
while todo:
    n = todo.popleft()
    k.append(n)
    for q in after[n]:
        degree[q] -= 1
        if not degree[q]:
            todo.append(q)
out.append([int(n) for n in k])
---
spanning tree
edges, parent, total = sorted((m[p, q], p, q) for p in range(3) for q in range(p)), {{}}, 0
def root(e):
    parent.setdefault(e, e)
    while parent[e] != e:
        e = parent[e]
    return e
for e, p, q in edges:
    if root(p) != root(q):
        parent[root(p)] = root(q)
        total += e
m[:] = 9
out.append((total, edges))
---
tree of search
def insert(tree, key):
    if tree is None:
        return [key, None, None, 1]
    if key == tree[0]:
        tree[3] += 1
    else:
        side = 1 if key < tree[0] else 2
        tree[side] = insert(tree[side], key)
    return tree
def walk(tree):
    return walk(tree[1]) + [(tree[0], tree[3])] + walk(tree[2]) if tree else []
k = None
for e in {a}:
    k = insert(k, e)
{w}
out.append(walk(k))
---
tasks in heap
h, n = [], itertools.count()
for p, q in zip({a}, y):
    heapq.heappush(h, [p, next(n), q])
h[0][0] += 1
heapq.heapify(h)
k = heapq.heappop(h)
k[2] *= 2
{w}
out.append((k, sorted(h)))
---
codes
h = [(n, float(e), str(e)) for e, n in collections.Counter([*{a}, *y]).items()]
heapq.heapify(h)
while len(h) > 1:
    p, q = heapq.heappop(h), heapq.heappop(h)
    heapq.heappush(h, (p[0] + q[0], min(p[1], q[1]), f'({{p[2]}}{{q[2]}})'))
out.append(h)
---
windows
g = window({a}, 2)
k = next(g)
{w}
out.append((k, [q - p for p, q in g], list(window(y, 3))))
---
scans
def scan(items, function, state):
    for e in items:
        state = function(state, e)
        yield state
g = scan({a}, lambda p, q: p + q, {r})
k = next(g)
{w}
out.append((k, list(scan(y, max, y[0]))))
---
statistics by coroutine
def stats():
    n, total, best, result = 0, 0, None, None
    while True:
        v = yield result
        n, total = n + 1, total + v
        best = v if best is None or v > best else best
        result = {{'n': n, 'total': total, 'best': best}}
g = stats()
next(g)
k = [g.send(e) for e in {a}]
k[0]['best'] += 1
{w}
out.append(k)
---
state in tuple
state, k = ({a}[0], 0), []
for e in {a}:
    p, n = state
    state = max(p, e), n + 1
    k.append(state)
p, n = state
p += 1
{w}
out.append((k, p, n, state))
---
observers
seen, totals = [], {{'p': {r}}}
def add(v):
    totals['p'] += v
    return totals['p']
k = [[f(e) for f in (add, seen.append, same)] for e in {a}]
{w}
out.append((k, seen, totals))
---
events
log = sorted(Pair(p, q) for p, q in zip({a}, y))
k = {{p: [e.right for e in g] for p, g in itertools.groupby(log, key=lambda e: bool(e.left > 1))}}
q = log[-1]._replace(right={r})
{w}
out.append((k, tuple(q), [tuple(e) for e in log], log.index(log[1])))
---
weighted choice
g = random.Random(3)
weights = [abs(e) + 1 for e in {a}]
k = g.choices('pqrs', weights=weights, k=3) + g.choices('pqrs', cum_weights=list(itertools.accumulate(weights)), k=2)
q = g.choices(list({a}), k=2)
b = [g.choice({a}), *g.sample(list({a}), 2)]
{w}
out.append((k, q, b))
---
wheel of chances
g, place, k = random.Random(5), 0, []
for _ in range(4):
    left = g.random() * (m[place].sum() + 1)
    for n, e in enumerate(m[place]):
        left -= e
        if left < 0:
            place = n
            break
    k.append((place, left))
m[:] = 0
out.append(k)
---
accumulated
k = list(itertools.accumulate({a}, initial={r}))
q = [*itertools.accumulate(zip({a}, y), lambda p, q: (p[0] + q[0], q[1]))]
p = list(itertools.accumulate({a}, min))
k[0] += 1
{w}
out.append((k, q, p))
---
grades
cuts = sorted({a})
k = ['FDCBA'[bisect.bisect(cuts, e)] for e in y]
q = []
for n, e in enumerate({a}):
    bisect.insort(q, (e, n))
p = bisect.bisect(q, ({r}, 5)), bisect.bisect_left(q, {a}[1], key=lambda e: e[0])
{w}
out.append((k, q, p))
---
compared by function
k = sorted({a}, key=functools.cmp_to_key(lambda p, q: int(p > q) - int(p < q)))
q = sorted(range(4), key=lambda n: ({a}[n], -y[n]))
p = max(range(4), key={a}.__getitem__)
{w}
out.append((k, q, p))
---
statistics of items
k = [statistics.mean(list({a})), statistics.median([{r}, {a}[0], 2.0]), statistics.fmean({a}), statistics.pvariance(list({a}))]
q = statistics.median_low(list({a})), sorted(map(float, statistics.multimode({a}))), statistics.quantiles(list({a}), n=2)
{w}
out.append((k, q))
---
fractions
k = [fractions.Fraction(float({r})), fractions.Fraction(int(ix[0]), int(ix[1])), fractions.Fraction(int({a}[0])) + int(ix[0])]
q = sum((fractions.Fraction(float(e)) for e in {a}), fractions.Fraction(0))
out.append((k, q, float(k[1]) == 0.5, q.limit_denominator(3)))
---
decimals
k = decimal.Decimal(repr(float({r}))) + decimal.Decimal(int({a}[0]))
q = [decimal.Decimal(str(e)) for e in {a}.tolist()]
out.append((k, q, max(q), k.quantize(decimal.Decimal('0.1'))))
---
packed
k = struct.pack('<4d', *{a})
q = struct.pack('<2q', *ix) + struct.pack('>hf', ix[0], {a}[0])
p = b''.join(struct.pack('<d', e) for e in {a})
out.append((k, q, p == k, struct.unpack('<4d', k), bytearray(k)[0] == k[0]))
---
json encoder
class Encoder(json.JSONEncoder):
    def default(self, o):
        if isinstance(o, np.integer):
            return int(o)
        if isinstance(o, np.floating):
            return float(o)
        if isinstance(o, np.ndarray):
            return o.tolist()
        return super().default(o)
out.append(json.dumps({{'p': {a}, 'q': float({r}), 'n': ix[0], 'r': [{a}[1], {{'s': m[0]}}]}}, cls=Encoder))
---
json by function
def plain(o):
    return o.tolist() if hasattr(o, 'tolist') else o.item()
k = json.dumps({{'p': {a}, 'm': m[0], 'n': ix[1]}}, default=plain)
out.append((k, json.loads(k)))
---
formatted rows
out.append([f'{{n:>3}}|{{e:8.3f}}|{{w:<6}}|{{e:g}}|{{e!s:>6}}' for n, (e, w) in enumerate(zip({a}, y))])
out.append('{{0:{{1}}.{{2}}f}}'.format({a}[0], ix[1] + 6, ix[0]) + f'{{{a}[0]:{{ix[1] + 5}}.{{ix[0]}}f}}' + '%*d|' % (5, ix[0]))
---
text of containers
d, k = {{'p': {r}, 'q': (y[0], ix[0])}}, [{a}[0], [{a}[1]]]
out.append(f'{{d}} {{k=}} {{({r},)!r:>30}}' + str(k) + repr(d) + '%s' % (k,))
---
match of pairs
def step(name, v):
    match (name, v):
        case ('p', 1):
            return 'one'
        case ('p', 2 | 3 | 4):
            return 'few'
        case (_, 0):
            return 'none'
        case ('q', e) if e in (1, 2):
            return 'small'
        case (_, e):
            return e
k = [step(name, e) for name in 'pq' for e in {a}]
{w}
out.append(k)
---
match of objects
def look(v):
    match v:
        case Point(x=0):
            return 'none'
        case Point(x=p, y=q):
            return p, q
        case Pair(left=p):
            return p
        case [p, *rest]:
            return p, len(rest)
        case {{'p': p, **rest}}:
            return p, len(rest)
k = [look(v) for v in (Point({a}[0], {a}[1]), Pair({r}, 1), [{a}[0], 1, 2], {{'p': {a}[1], 'q': 1}})]
{w}
out.append(k)
---
dataclass that counts
@dataclasses.dataclass
class Stat:
    n: int = 0
    total: float = 0.0
    best: float = None
    seen: set = dataclasses.field(default_factory=set)
    hist: dict = dataclasses.field(default_factory=dict)

    def push(self, v):
        self.n += 1
        self.total += v
        self.seen.add(v)
        self.hist[v] = self.hist.get(v, 0) + 1
        self.best = v if self.best is None else max(self.best, v)
s = Stat()
for e in {a}:
    s.push(e)
t = dataclasses.replace(s)
t.total += 1
{w}
out.append((s.n, s.total, s.best, len(s.seen), list(s.hist.values()), t.total, s == t))
---
dataclass as key
@dataclasses.dataclass(order=True, frozen=True)
class Version:
    p: float
    q: float = 0

    def bump(self):
        return dataclasses.replace(self, q=self.q + 1)
vs = [Version(p, q) for p, q in zip({a}, y)]
d = {{e: n for n, e in enumerate(vs)}}
k = sorted(vs)
{w}
out.append(([(e.p, e.q) for e in k], d[vs[1]], len({{*vs, *vs}}), vs[0].bump() in d))
---
enumeration of values
class Kind(enum.Enum):
    NONE = 0
    ONE = 1
    TWO = 2
k = [Kind(e).name if e in (0, 1, 2) else 'other' for e in {a}]
q = {{Kind(e): e for e in {a} if e < 3}}
{w}
out.append((k, list(q.values()), Kind(ix[0]), Level(ix[1]) == 2))
---
cached by class
class Memo:
    def __init__(self, function):
        self.function, self.held, self.missed = function, {{}}, 0

    def __call__(self, *args, **kw):
        key = args + tuple(sorted(kw.items()))
        if key not in self.held:
            self.missed += 1
            self.held[key] = self.function(*args, **kw)
        return self.held[key]
f = Memo(lambda p, q=1: p + q)
k = [f(e) for e in {a}] + [f(e) for e in {a}] + [f(e, q=w) for e in {a} for w in {a}]
{w}
out.append((k, f.missed))
---
cached by text
seen, k = {{}}, []
for p in {a}:
    for q in y:
        key = f'{{p}}-{{q}}'
        if key not in seen:
            seen[key] = p * q
        k.append(seen[key])
{w}
out.append((k, len(seen)))
---
swaps
p = {a}[2]
{a}[2] = {a}[3]
{a}[3] = p
b, c = ix
{a}[b], {a}[c] = {a}[c], {a}[b]
k = list({a})
k[0], k[1] = k[1], k[0]
d = {{'p': {a}[0], 'q': {a}[1]}}
d['p'], d['q'] = d['q'], d['p']
{w}
out.append((k, d))
---
rotation
first = {a}[0]
for n in range(len({a}) - 1):
    {a}[n] = {a}[n + 1]
{a}[-1] = first
k, {a}[1] = {a}[1], {a}[2]
out.append((first, k))
---
readers made
fs = [lambda n=n: {a}[n] for n in range(2)]
k = [f() for f in fs]
{w}
out.append((k, [f() for f in fs]))
---
read later
g, z, e, rv = (v for v in {a}), iter({a}), enumerate({a}), reversed({a})
k = next(g), next(z), next(e), next(rv)
{w}
out.append((k, next(g), next(z), next(e), next(rv)))
---
keys of functions
d = {{np.add({a}[0], 1): 1, np.float64({a}[1]): 2, np.floor({a}[2]): 3, np.add.reduce({a}): 4}}
out.append((d.get({a}[0] + 1), {a}[1] in d, {a}.sum() in d))
out.append(len({{np.floor({a}[0]), np.ceil({a}[0]), np.round({a}[0])}}))
---
keys of places
p, q = np.unravel_index(m.argmax(), m.shape)
d = {{(p, q): m[p, q]}}
k = {{n: {a}[n] for n in np.nonzero({a} >= 0)[0]}}
t = {{int(n): e for n, e in zip(np.argsort({a}, kind='stable'), np.sort({a}))}}
m[:] = 0
{w}
out.append((d[int(p), int(q)], k[0], k, t))
---
keys of counts
u, n = np.unique({a}, return_counts=True)
d = dict(zip(u, n))
d[{a}[0]] += 1
t = {{e: ({a} == e).sum() for e in u}}
out.append((list(d.values()), n, t[{a}[1]], dict(zip(u.tolist(), n.tolist()))))
---
keys of truth
d = {{True: [], False: []}}
for e in {a}:
    d[e > 2].append(e)
c = collections.Counter(e > 1 for e in {a})
k = ['no', 'yes'][int({a}[0] > 2)]
{w}
out.append((d, c[True], k, {{(e > 1, e > 2) for e in {a}}} >= set()))
---
names of attributes
names = ['itemset', 'item', 'tolist', 'is_integer', 'numerator', 'newbyteorder', 'ptp', '__len__', '__getitem__', '__iter__']
names += ['__float__', 'dtype', 'T', 'flat', 'clone', 'numpy', 'backward', 'size', 'bit_count', 'hex', 'real', 'device', 'dim']
out.append([[n for n in names if hasattr(v, n)] for v in ({a}[0], {a}, ix[0], {r}, 1.0, np.array(1.0))])
---
name asked for
out.append([hasattr({r}, 'itemset'), hasattr({a}, 'itemset'), hasattr({r}, 'cpu'), hasattr({a}[0], 'numpy'), hasattr(ix[0], 'hex')])
---
attribute by default
k = getattr({r}, 'itemset', 'none')
q = getattr({a}[0], 'requires_grad', 'none')
p = getattr({a}[0], 'size', 0)
out.append((k, q, p, getattr({a}, 'newbyteorder', 'none')))
---
numbers of floats
k = {a}[0]
out.append([float(k).is_integer(), round(k), int(k), divmod(k, 2), k.real, k.imag, k.conjugate(), complex(k), k.ndim, k.size])
out.append([math.floor(k), math.modf(k), math.frexp(k), math.copysign(k, -1), math.hypot(k, y[0]), k.round(), k.max(), k.tolist()])
---
numbers of integers
n, k, s = ix[0], [10, 20, 30, 40], 'abcdef'
out.append([s[n], k[-n], s[n:ix[1]], k[::ix[1]], list(range(n, ix[1])), divmod(ix[1], 2), 2 ** ix[1], ~n, n << 2, n / 2, hex(n)])
out.append([f'{{n:03d}}', s.find('c', n), slice(*ix).indices(4), k.index(20, n), 'x'.rjust(ix[1]), chr(n + 64), isinstance(n, int)])
---
infinite start
low, high, best = np.inf, -np.inf, {{'v': -np.inf}}
for e in {a}:
    low, high = min(low, e), max(high, e)
    if e > best['v']:
        best = {{'v': e}}
{w}
out.append((low, high, best, f'{{low}} {{np.inf}}'))
---
zero dimensions held
k = [np.array({a}[1])]
p = k[0]
k[0] += 1
d = {{'p': np.array({a}[1])}}
q = d['p']
d['p'] += 1
h = np.zeros(())
j = h
h += {a}[0]
{w}
out.append((k, p, d, q, h, j))
---
zero dimensions of the unknown
def bump(v):
    z = v
    v += 1
    return v, z
out.append([bump(np.array({a}[0])), bump({r}), bump(np.asarray({a}[1])), bump(1)])
---
zero dimensions from asarray
def middle(v):
    v = np.asarray(v)
    z = v
    v = v + 1
    z *= 2
    return v, z
out.append([middle({r}), middle(3.0), middle({a}.copy())])
---
copies of objects
class Base:
    def __init__(self, data):
        self.data, self.first, self.pair, self.held = data, data[0], (data[0], data[1]), {{'p': data[0]}}
b = Base({a})
c, d = copy.copy(b), copy.deepcopy(b)
c.first += 1
d.held['p'] += 1
b.held['p'] -= 1
{w}
out.append((b.first, b.pair, b.held, c.first, d.held, d.data))
---
proxy
class Proxy:
    def __init__(self, obj):
        object.__setattr__(self, 'obj', obj)

    def __getattr__(self, name):
        return getattr(self.obj, name)

    def __setattr__(self, name, value):
        setattr(self.obj, name, value)

    def __getitem__(self, n):
        return self.obj.data[n]
k = Proxy(Box({a}))
p = k[0]
k.value = p
k.value += 1
{w}
out.append((p, k.value, k.obj.value))
---
arrays that overlap
def mix(p, q):
    first = p[0]
    q[0] = first + 1
    second = p[0]
    p[0] = 5
    return first, second, q[0]
out.append([mix({a}, {a}), mix({a}, {a}[:2]), mix(m[0], m.ravel()), mix(m.T[1], m[1])])
---
finally of items
def take(q):
    try:
        return {{'v': q[0]}}
    finally:
        q[0] += 1
def give(q):
    for n in range(2):
        try:
            yield q[n]
        finally:
            q[n] = 4
out.append([take({a}), take({a}), list(give(y))])
---
dispatch of operators
table = {{'+': operator.add, '-': operator.sub, 'first': lambda p, q: p, 'max': max}}
stack = []
for token in [{a}[0], {r}, '+', {a}[1], 'max', {a}[2], 'first']:
    if isinstance(token, str):
        q, p = stack.pop(), stack.pop()
        stack.append(table[token](p, q))
    else:
        stack.append(token)
{w}
out.append(stack)
---
history of names
k, log = {r}, []
for e in {a}:
    log.append(k)
    k += e
    log.append(k)
    k *= 2
{w}
out.append((k, log))
---
moving average
total, k = 0, []
for n, e in enumerate({a}):
    total += e
    if n >= 2:
        total -= {a}[n - 2]
    k.append(total)
{w}
out.append(k)
---
trace of changes
before, k = {a}[0], {{}}
for n in range(3):
    {a}[0] += n
    k[n] = (before, {a}[0])
    before = {a}[0]
out.append(k)
---
maximum in place
best = [{a}[0], 0]
for n, e in enumerate({a}):
    if e > best[0]:
        best[:] = e, n
k = tuple(best)
best[0] += 1
{w}
out.append((k, best))
---
two names of a dict
p = {{'n': {r}, 'm': {a}[1]}}
q = p
r = p.copy()
q['n'] += 1
r['m'] += 1
p.update(n=p['n'] + p['m'])
{w}
out.append((p, q, r))
'''
