import pg from 'pg';

type Field = { name: string; dataTypeID: number };
type Row = Record<string, unknown>;
type Result = { command: string; rowCount: number; rows: Row[] };

/** The name of the prepared statement; without one it is parsed and planned each time. */
export type PreparedStatement = {
  name: string;
  text: string;
  values: unknown[];
  resolve(result: Result): void;
  reject(error: Error): void;
};

type Columns = {
  /** By column; null for text, which is not parsed. */
  parsers: (((text: string) => unknown) | null)[];
  rowOf(values: unknown[]): Row;
};
export type KnownColumns = Map<string, Columns>;

type Connection = {
  stream: { writable: boolean; write(bytes: Uint8Array): unknown };
  parsedStatements: Record<string, string | undefined>;
  parse(statement: { name: string; text: string }): void;
  bind(portal: { statement: string; values: unknown[]; valueMapper: (value: unknown) => unknown }): void;
  describe(of: { type: 'P'; name: string }): void;
  execute(portal: object): void;
  sync(): void;
  sendCopyFail(message: string): void;
};
const { prepareValue } = (pg as unknown as { utils: { prepareValue(value: unknown): unknown } }).utils;

const none: Columns = { parsers: [], rowOf: () => ({}) };

const rowMakers = new Map<string, Columns['rowOf']>();

/** Compiled once per list of columns: adding the fields of a row one by one takes ten times as long. */
function rowMaker(names: readonly string[]): Columns['rowOf'] {
  const fields = names.map((name, at) => `${JSON.stringify(name)}: values[${at}]`).join(', ');
  const existing = rowMakers.get(fields);
  if (existing) return existing;
  const maker = new Function('values', `return { ${fields} };`) as Columns['rowOf'];
  rowMakers.set(fields, maker);
  return maker;
}

/** The driver's parser of types that it doesn't know. */
const keepText = pg.types.getTypeParser(0 as never, 'text');

/** Sends prepared statements in one round trip (ADR 116). Those after a failed one fail with its error. */
export class PreparedBatch implements pg.Submittable {
  readonly #statements: readonly PreparedStatement[];
  readonly #known: KnownColumns;
  readonly #results: Result[] = [];
  #columns: Columns | undefined;
  #rows: Row[] = [];
  #sendError: Error | null = null;
  #readError: Error | null = null;
  /** node-postgres wraps it to clear its read timeout. */
  callback: (error: Error | null) => void;

  constructor(statements: readonly PreparedStatement[], knownColumns: KnownColumns) {
    this.#statements = statements;
    this.#known = knownColumns;
    this.callback = (error) => this.#end(error);
  }

  get name(): string | undefined {
    return this.#statements[this.#results.length]?.name;
  }

  get text(): string | undefined {
    return this.#statements[this.#results.length]?.text;
  }

  submit(client: pg.Connection): void {
    const connection = client as unknown as Connection;
    const parsed = new Set<string>();
    // One buffer: the driver writes each message of a statement on its own.
    const messages: Uint8Array[] = [];
    const { stream } = connection;
    connection.stream = { writable: true, write: (bytes) => messages.push(bytes) };
    try {
      for (const { name, text, values } of this.#statements) {
        const isPrepared = name !== '' && connection.parsedStatements[name] !== undefined;
        if (!isPrepared && !parsed.has(name)) connection.parse({ name, text });
        if (name !== '') parsed.add(name);
        connection.bind({ statement: name, values, valueMapper: prepareValue });
        if (!isPrepared || !this.#known.has(name)) connection.describe({ type: 'P', name: '' });
        connection.execute({});
      }
    } catch (error) {
      // A value could not be sent. Earlier statements run, and their responses end the batch.
      this.#sendError = error as Error;
    } finally {
      connection.sync();
      connection.stream = stream;
      if (stream.writable) stream.write(Buffer.concat(messages));
    }
  }

  handleRowDescription({ fields }: { fields: Field[] }): void {
    const parsers = fields.map(({ dataTypeID }) => {
      const parser = pg.types.getTypeParser(dataTypeID, 'text');
      return parser === keepText ? null : parser;
    });
    this.#columns = { parsers, rowOf: rowMaker(fields.map(({ name }) => name)) };
  }

  handleDataRow({ fields }: { fields: (string | null)[] }): void {
    this.#columns ??= this.#known.get(this.name ?? '') ?? none;
    const { parsers, rowOf } = this.#columns;
    const values: unknown[] = fields;
    try {
      for (let at = 0; at < parsers.length; at += 1) {
        const value = fields[at];
        const parse = parsers[at];
        if (parse && value != null) values[at] = parse(value);
      }
      this.#rows.push(rowOf(values));
    } catch (error) {
      this.#readError ??= error as Error;
    }
  }

  handleCommandComplete({ text: tag }: { text: string }): void {
    const { name = '' } = this;
    // A statement without rows sends no description.
    if (name !== '' && !this.#known.has(name)) this.#known.set(name, this.#columns ?? none);
    const words = tag.split(' ');
    const rowCount = Number(words.at(-1)) || 0;
    this.#results.push({ command: words[0] ?? '', rowCount, rows: this.#rows });
    [this.#columns, this.#rows] = [undefined, []];
  }

  handleReadyForQuery(): void {
    this.callback(this.#readError ?? this.#sendError);
  }

  handleError(error: Error): void {
    this.callback(error);
  }

  #end(error: Error | null): void {
    for (const [at, { resolve, reject }] of this.#statements.entries()) {
      const result = this.#readError ? undefined : this.#results[at];
      if (result) resolve(result);
      else reject(error ?? new Error('a statement was not answered'));
    }
  }

  handleCopyInResponse(connection: Connection): void {
    connection.sendCopyFail('a kept statement copies nothing');
  }

  handleCopyData(): void {}
  handleEmptyQuery(): void {}
  handlePortalSuspended(): void {}
}
