/** A row value's kind in JavaScript, as far as row types distinguish them. */
export type Kind = 'null' | 'string' | 'number' | 'boolean' | 'date' | 'bytes' | 'array' | 'object';

/** A raw statement that a test ran, or a built one that selects a raw value. */
export type Recorded = {
  /** The texts between the `${}` of its template, which identify its place in the sources. */
  template: readonly string[];
  /** The column of a raw value; undefined for a raw statement. */
  value?: string;
  /** As sent to PostgreSQL. */
  text: string;
  /** What its columns held. */
  seen: Record<string, Kind[]>;
};

/** The folder where this run's tests record, if the rows are checked afterwards. */
export const recordings = process.env.RECORDED_STATEMENTS;

export function kindOf(value: unknown): Kind {
  if (value === null) return 'null';
  if (value instanceof Date) return 'date';
  if (Buffer.isBuffer(value)) return 'bytes';
  if (Array.isArray(value)) return 'array';
  const type = typeof value;
  return type === 'string' || type === 'number' || type === 'boolean' ? type : 'object';
}

/** Statements that differ only in the length of a list are the same. */
export const shapeOf = (text: string): string =>
  text
    .replace(/\$\d+/g, '$')
    .replace(/(\([^()]*\$[^()]*\))(?:,\s*\1)+/g, '$1')
    .replace(/\$(?:, ?\$)+/g, '$');
