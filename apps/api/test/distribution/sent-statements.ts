import pg from 'pg';

type Sent = {
  parse(of: { name?: string; text: string }): void;
  bind(of: { statement?: string }): void;
  query(text: string): void;
};

const listening: Set<string>[] = [];
const prepared = new WeakMap<object, Map<string, string>>();
const textsOf = (connection: object) => {
  const texts = prepared.get(connection) ?? new Map<string, string>();
  prepared.set(connection, texts);
  return texts;
};
const note = (text: string | undefined) => {
  if (text !== undefined) for (const heard of listening) heard.add(text);
};

/** Listens where the driver writes, since a batch (ADR 116) passes its queries by. */
function listenToDriver(): void {
  const connection = (pg as unknown as { Connection: { prototype: Sent } }).Connection.prototype;
  const { parse, bind, query } = connection;
  connection.parse = function (of) {
    textsOf(this).set(of.name ?? '', of.text);
    return parse.call(this, of);
  };
  connection.bind = function (of) {
    note(textsOf(this).get(of.statement ?? ''));
    return bind.call(this, of);
  };
  connection.query = function (text) {
    note(text);
    return query.call(this, text);
  };
}
listenToDriver();

/** The different statements that every connection of this process sends while some work runs. */
export async function statementsSentBy(work: () => Promise<unknown>): Promise<string[]> {
  const heard = new Set<string>();
  listening.push(heard);
  try {
    await work();
  } finally {
    listening.splice(listening.indexOf(heard), 1);
  }
  return [...heard];
}
