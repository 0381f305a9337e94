import { loadModule, parseSync } from 'libpg-query';
import type { Group, Placement } from './distributed-tables.ts';
import { conditionsOf, fieldsOf, isObject, type Json, listOf, sourcesOf } from './statement-parts.ts';

await loadModule();

/** The parts of the schema that a statement's meaning depends on: where tables lie, and the columns of each. */
export type Schema = {
  placements: Record<string, Placement>;
  columns: ReadonlyMap<string, ReadonlySet<string>>;
};

/** What a statement reads or writes. `without`: distributed tables whose rows it does not say where to find. `calls`: functions. */
export type Reading = {
  tables: string[];
  written: string[];
  groups: Group[];
  without: string[];
  calls: string[];
};

/** Something with columns: a table, or a query or function in its place. `given`: by values that come with the statement. */
type Item = { table: string | null; inner: Item[]; outputs: Output[] | null; given: boolean; linked: Item[] };
type Output = { name: string; value: Value };
/** A value as far as it says where rows are: one that is given, or a column. */
type Value = 'given' | 'computed' | { item: Item; column: string };
type Scope = { items: Map<string, Item>; queries: Map<string, Item>; outer: Scope | null };

const queryKinds = ['SelectStmt', 'InsertStmt', 'UpdateStmt', 'DeleteStmt'] as const;

/**
 * Reads one statement. A table's rows are found where a condition compares a column that names their place with a given value, or with such
 * a column of a table of the same group whose rows are found. Conditions below an `or` or a `not` do not count.
 */
export function readStatement(text: string, schema: Schema): Reading {
  const { items, written, calls } = new StatementWalk(text, schema);
  return { ...placesOf(items, schema), written: [...written], calls: [...calls] };
}

function link(one: Item, other: Item): void {
  one.linked.push(other);
  other.linked.push(one);
}

function find<Found>(scope: Scope | null, look: (scope: Scope) => Found | undefined): Found | undefined {
  return scope === null ? undefined : (look(scope) ?? find(scope.outer, look));
}

const isPhysical = (value: Value) => typeof value !== 'string' && value.column === 'ctid';

/** Walks through one statement and notes what it meets. */
class StatementWalk {
  readonly #schema: Schema;
  readonly #read = new Map<Json, Item>();
  readonly items: Item[] = [];
  readonly written = new Set<string>();
  readonly calls = new Set<string>();

  constructor(text: string, schema: Schema) {
    this.#schema = schema;
    for (const { stmt } of listOf(parseSync(text).stmts))
      this.#walk(stmt, { items: new Map(), queries: new Map(), outer: null });
  }

  #make(from: Partial<Item>): Item {
    const item = { table: null, inner: [], outputs: null, given: false, linked: [], ...from };
    this.items.push(item);
    return item;
  }

  /** Unqualified names that no table has are variables of a function. */
  #columnOf(fields: readonly string[], scope: Scope): Value {
    const [column = '', alias] = fields.toReversed();
    const item = alias
      ? find(scope, ({ items: own }) => own.get(alias))
      : find(scope, ({ items: own }) =>
          [...own.values()].find((one) =>
            one.table === null
              ? one.outputs?.some(({ name }) => name === column)
              : this.#schema.columns.get(one.table)?.has(column),
          ),
        );
    if (!item || item.given) return 'given';
    return item.outputs?.find(({ name }) => name === column)?.value ?? { item, column };
  }

  #meaningOf(node: unknown, scope: Scope): Value {
    if (!isObject(node)) return 'computed';
    if (isObject(node.TypeCast)) return this.#meaningOf(node.TypeCast.arg, scope);
    if (isObject(node.ColumnRef)) return this.#columnOf(fieldsOf(node.ColumnRef.fields), scope);
    if (isObject(node.SubLink)) return { item: this.#query(node.SubLink.subselect, scope), column: '*' };
    return this.#isGiven(node, scope) ? 'given' : 'computed';
  }

  #isGiven(node: unknown, scope: Scope): boolean {
    if (Array.isArray(node)) return node.every((one) => this.#isGiven(one, scope));
    if (!isObject(node)) return true;
    if (isObject(node.SubLink)) return false;
    if (isObject(node.ColumnRef)) return this.#columnOf(fieldsOf(node.ColumnRef.fields), scope) === 'given';
    return Object.values(node).every((one) => this.#isGiven(one, scope));
  }

  /** The table or query whose place a column names. */
  #placeOf(value: Value): Item | null {
    if (typeof value === 'string') return null;
    const placement = this.#schema.placements[value.item.table ?? ''];
    if (value.item.table === null) return value.item;
    const names = typeof placement === 'object' && [...placement.named, 'ctid'].includes(value.column);
    return names ? value.item : null;
  }

  #compare(left: Value, right: Value): void {
    const [one, other] = [this.#placeOf(left), this.#placeOf(right)];
    // A row's physical place says which row, once its machine is known.
    if (one && right === 'given' && !isPhysical(left)) one.given = true;
    if (other && left === 'given' && !isPhysical(right)) other.given = true;
    if (one && other) link(one, other);
  }

  #addSource(node: Json, scope: Scope): void {
    const named = (alias: unknown) => (isObject(alias) ? String(alias.aliasname) : '');
    if (isObject(node.RangeVar)) {
      const { relname, schemaname, alias } = node.RangeVar;
      const table = String(relname);
      if (schemaname !== undefined && schemaname !== 'public') return;
      const known = find(scope, ({ queries }) => queries.get(table));
      scope.items.set(named(alias) || table, known ?? this.#make({ table }));
    } else if (isObject(node.RangeSubselect)) {
      scope.items.set(named(node.RangeSubselect.alias), this.#query(node.RangeSubselect.subquery, scope));
    } else if (isObject(node.RangeFunction)) {
      const given = this.#isGiven(node.RangeFunction.functions, scope);
      scope.items.set(named(node.RangeFunction.alias), this.#make({ given }));
      this.#walk(node.RangeFunction.functions, scope);
    }
  }

  /** A query and everything inside it; once, however often it is met. */
  #query(node: unknown, outer: Scope | null): Item {
    const kind = queryKinds.find((one) => isObject(node) && isObject(node[one]));
    if (!kind || !isObject(node)) return this.#make({});
    const known = this.#read.get(node);
    if (known) return known;
    const item = this.#readQuery(kind, node[kind] as Json, outer);
    this.#read.set(node, item);
    return item;
  }

  #readQuery(kind: (typeof queryKinds)[number], body: Json, outer: Scope | null): Item {
    const scope: Scope = { items: new Map(), queries: new Map(), outer };
    for (const { CommonTableExpr: part } of listOf(isObject(body.withClause) ? body.withClause.ctes : []))
      if (isObject(part)) scope.queries.set(String(part.ctename), this.#query(part.ctequery, scope));
    const sides = [body.larg, body.rarg]
      .filter(isObject)
      .map((side) => this.#query({ SelectStmt: side }, scope));
    const { sources, conditions } = sourcesOf(body);
    for (const source of sources) this.#addSource(source, scope);
    if (isObject(body.relation)) {
      this.#addSource({ RangeVar: body.relation }, scope);
      this.written.add(String(body.relation.relname));
    }
    for (const [left, right] of [...conditions, body.whereClause].flatMap(conditionsOf))
      this.#compare(this.#meaningOf(left, scope), this.#meaningOf(right, scope));
    if (kind === 'InsertStmt') this.#readInsert(body, scope);
    const { withClause: _with, larg: _left, rarg: _right, ...others } = body;
    this.#walk(others, scope);
    const outputs = listOf(kind === 'SelectStmt' ? body.targetList : body.returningList).flatMap(
      ({ ResTarget: target }) => {
        if (!isObject(target)) return [];
        const column =
          isObject(target.val) && isObject(target.val.ColumnRef)
            ? fieldsOf(target.val.ColumnRef.fields).at(-1)
            : '';
        return [{ name: String(target.name ?? column), value: this.#meaningOf(target.val, scope) }];
      },
    );
    const isList = kind === 'SelectStmt' && listOf(body.valuesLists).length > 0;
    const inner = [...sides, ...scope.items.values(), ...scope.queries.values()];
    return this.#make({
      inner,
      given: isList,
      outputs: isList || outputs.some(({ name }) => name === '*') ? null : outputs,
    });
  }

  /** New rows are where their columns say, whether these are values or come from a query. */
  #readInsert(body: Json, scope: Scope): void {
    const table = String(isObject(body.relation) ? body.relation.relname : '');
    const target = [...scope.items.values()].find((item) => item.table === table);
    const listed = listOf(body.cols).map(({ ResTarget: column }) =>
      String(isObject(column) ? column.name : ''),
    );
    const columns = listed.length > 0 ? listed : [...(this.#schema.columns.get(table) ?? [])];
    // The table that is written cannot be read here.
    const inside: Scope = { ...scope, items: new Map() };
    const source = this.#query(body.selectStmt, inside);
    const made =
      isObject(body.selectStmt) && isObject(body.selectStmt.SelectStmt) ? body.selectStmt.SelectStmt : {};
    const rows = listOf(made.valuesLists).map((row) => listOf(isObject(row.List) ? row.List.items : []));
    for (const [at, column] of columns.entries()) {
      const values = rows.map((row) => this.#meaningOf(row[at], inside));
      if (rows.length === 0) values.push(source.outputs?.[at]?.value ?? 'computed');
      if (target) for (const value of values) this.#compare({ item: target, column }, value);
    }
  }

  /** The calls and queries inside an expression. */
  #walk(node: unknown, scope: Scope): void {
    if (Array.isArray(node)) for (const one of node) this.#walk(one, scope);
    if (!isObject(node)) return;
    if (isObject(node.FuncCall)) this.calls.add(fieldsOf(node.FuncCall.funcname).at(-1) ?? '');
    if (queryKinds.some((kind) => kind in node)) this.#query(node, scope);
    else for (const one of Object.values(node)) this.#walk(one, scope);
  }
}

/** Follows what is given along what is compared, for each group by itself. */
function placesOf(
  items: readonly Item[],
  { placements }: Schema,
): Pick<Reading, 'tables' | 'groups' | 'without'> {
  const groupOf = ({ table }: Item): Group | null => {
    const placement = placements[table ?? ''];
    return typeof placement === 'object' ? placement.by : null;
  };
  const own = items.filter(({ table }) => table !== null);
  const groups = [...new Set(own.flatMap((item) => groupOf(item) ?? []))].sort();
  const without = groups.flatMap((group) => {
    const takesPart = (item: Item) => item.table === null || groupOf(item) === group;
    const found = new Set(items.filter((item) => item.given && takesPart(item)));
    for (const item of found) {
      const around = items.filter((one) => one.inner.includes(item));
      const inside = item.outputs === null && item.inner.length === 1 ? item.inner : [];
      for (const next of [...item.linked, ...inside, ...around]) if (takesPart(next)) found.add(next);
    }
    return own.filter((item) => groupOf(item) === group && !found.has(item)).map(({ table }) => table ?? '');
  });
  const tables = new Set(own.map(({ table }) => table ?? '').sort());
  return { tables: [...tables], groups, without: [...new Set(without)] };
}
