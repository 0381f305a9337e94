export type Kind = 'null' | 'string' | 'number' | 'boolean' | 'date' | 'bytes' | 'array' | 'object';

export type Recorded = {
  /** The texts between the `${}`, which identify the place in the sources. */
  template: readonly string[];
  /** The column of a raw value; undefined for a raw statement. */
  value?: string;
  text: string;
  seen: Record<string, Kind[]>;
};

export const recordings = process.env.RECORDED_STATEMENTS;

export function kindOf(value: unknown): Kind {
  if (value === null) return 'null';
  if (value instanceof Date) return 'date';
  if (Buffer.isBuffer(value)) return 'bytes';
  if (Array.isArray(value)) return 'array';
  const type = typeof value;
  return type === 'string' || type === 'number' || type === 'boolean' ? type : 'object';
}

/** Ignores the length of lists. */
export const shapeOf = (text: string): string =>
  text
    .replace(/\$\d+/g, '$')
    .replace(/(\([^()]*\$[^()]*\))(?:,\s*\1)+/g, '$1')
    .replace(/\$(?:, ?\$)+/g, '$');
