/** A node of PostgreSQL's own syntax tree, as `libpg-query` gives it. */
export type Json = { [key: string]: unknown };

export const isObject = (value: unknown): value is Json =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

export const listOf = (value: unknown): Json[] => (Array.isArray(value) ? value.filter(isObject) : []);

/** The parts of a name with dots; `*` for a star. */
export const fieldsOf = (fields: unknown): string[] =>
  listOf(fields).map(({ String: text }) => (isObject(text) ? String(text.sval) : '*'));

/** What a query reads from, with the conditions of its joins. Those of outer joins count, too: they say which rows are looked at. */
export function sourcesOf(body: Json): { sources: Json[]; conditions: unknown[] } {
  const sources: Json[] = [];
  const conditions: unknown[] = [];
  const add = (node: unknown): void => {
    if (!isObject(node)) return;
    if (!isObject(node.JoinExpr)) {
      sources.push(node);
      return;
    }
    add(node.JoinExpr.larg);
    add(node.JoinExpr.rarg);
    conditions.push(node.JoinExpr.quals);
  };
  for (const node of [...listOf(body.fromClause), ...listOf(body.usingClause)]) add(node);
  return { sources, conditions };
}

/** The pairs that a condition makes equal, or one of which is in the other. */
export function conditionsOf(node: unknown): [unknown, unknown][] {
  if (!isObject(node)) return [];
  const { BoolExpr: all, A_Expr: compared, SubLink: query } = node;
  if (isObject(all)) return all.boolop === 'AND_EXPR' ? listOf(all.args).flatMap(conditionsOf) : [];
  if (isObject(query)) return query.subLinkType === 'ANY_SUBLINK' ? [[query.testexpr, node]] : [];
  const equal = isObject(compared) && fieldsOf(compared.name).at(-1) === '=';
  const compares = equal && ['AEXPR_OP', 'AEXPR_OP_ANY', 'AEXPR_IN'].includes(String(compared.kind));
  return compares ? [[compared.lexpr, compared.rexpr]] : [];
}
