import { payUnits } from '@nearhand/contract/hiring/jobs';
import { type CategoryId, categoryIds } from '@nearhand/contract/people/taxonomy';
import { jobKinds } from '@nearhand/contract/work/terms';
import { z } from 'zod';
import { isDayFormat } from './posting-values.rules.ts';

/** The mapping of source columns (docs/import.md). Unknown keys are refused, to catch typos. */
const columnName = z.string().min(1).max(200);
const words = z.record(z.string(), z.string());

/** The fixed value is used where the column is empty. `values` translates the source's words. */
const field = z
  .strictObject({
    column: columnName.optional(),
    values: words.optional(),
    value: z.string().max(500).optional(),
  })
  .refine((text) => text.column !== undefined || text.value !== undefined, {
    message: 'needs "column" or "value"',
  });
export type FieldMapping = z.infer<typeof field>;

const capitals = z.enum(['keep', 'title']).default('keep');
const dayFormat = z.string().refine(isDayFormat, {
  message: 'a date format has a year (YYYY or YY), month (MMM, MM or M) and day (DD or D) once each',
});
const pattern = z
  .string()
  .min(1)
  .max(500)
  .transform((source, context) => {
    try {
      return new RegExp(source, 'iu');
    } catch (error) {
      context.addIssue({ code: 'custom', message: `not a regular expression: ${(error as Error).message}` });
      return z.NEVER;
    }
  });

const category = z.strictObject({
  column: columnName.optional(),
  values: z.record(z.string(), z.enum(categoryIds)).default({}),
  rules: z
    .array(z.strictObject({ column: columnName.optional(), match: pattern, category: z.enum(categoryIds) }))
    .max(200)
    .default([]),
  default: z.enum(categoryIds),
});
export type CategoryMapping = z.infer<typeof category>;

const common = {
  /** The source's permanent name, which identifies a job together with the row's id. */
  source: z
    .string()
    .regex(/^[a-z0-9][a-z0-9._-]{1,59}$/, 'lowercase letters, digits, dots and dashes, 2 to 60'),
  empty: z.array(z.string()).default([]),
  replace: z
    .array(z.tuple([z.string().min(1), z.string()]))
    .max(100)
    .default([]),
  passed: z.enum(['refuse', 'import']).default('refuse'),
  capitals,
  keepCapitals: z.array(z.string()).default([]),
};

export const csvMapping = z.strictObject({
  ...common,
  delimiter: z.enum([',', ';', '\t', '|']).optional(),
  encoding: z.string().default('utf-8'),
  id: field,
  title: field,
  business: field,
  description: z
    .array(
      z.strictObject({ label: z.string().max(80).optional(), column: columnName, values: words.optional() }),
    )
    .max(40)
    .default([]),
  category,
  kind: z.enum(jobKinds).default('shift'),
  pay: z.strictObject({
    from: field,
    to: field.optional(),
    unit: z
      .strictObject({
        column: columnName.optional(),
        values: z.record(z.string(), z.enum(payUnits)).default({}),
        value: z.enum(payUnits).optional(),
      })
      .refine((unit) => unit.column !== undefined || unit.value !== undefined, {
        message: 'needs "column" or "value"',
      }),
    currency: field,
    decimal: z.enum(['.', ',']).default('.'),
  }),
  headCount: field.optional(),
  hours: field.optional(),
  employment: field.optional(),
  posted: z.strictObject({ column: columnName, format: dayFormat }).optional(),
  until: z.strictObject({ column: columnName, format: dayFormat }).optional(),
  place: z.strictObject({
    /** The place as the source names it; looked up in the places file unless the row has a position. */
    column: columnName,
    lat: columnName.optional(),
    lng: columnName.optional(),
    area: field,
    country: field,
  }),
  url: field.optional(),
});
export type CsvMapping = z.infer<typeof csvMapping>;

export const jsonLdMapping = z.strictObject({
  ...common,
  source: common.source.default('job-posting'),
  category: category.omit({ column: true, values: true }).prefault({ default: 'office' }),
  currency: z.string().optional(),
  country: z.string().optional(),
});
export type JsonLdMapping = z.infer<typeof jsonLdMapping>;

/** The columns that a mapping reads. A file that lacks one is refused before its rows are read. */
export function mappedColumns(mapping: CsvMapping): string[] {
  const fields = [
    mapping.id,
    mapping.title,
    mapping.business,
    mapping.pay.from,
    mapping.pay.to,
    mapping.pay.unit,
    mapping.pay.currency,
    mapping.headCount,
    mapping.hours,
    mapping.employment,
    mapping.posted,
    mapping.until,
    mapping.place,
    mapping.place.area,
    mapping.place.country,
    mapping.url,
    mapping.category,
    ...mapping.category.rules,
    ...mapping.description,
  ];
  const columns = [...fields.map((field) => field?.column), mapping.place.lat, mapping.place.lng];
  return [...new Set(columns.filter((column) => column !== undefined))];
}

/** The errors of a mapping file as lines for the terminal, each with its path. */
export const mappingMistakes = (error: z.ZodError): string =>
  error.issues
    .map((issue) => `${issue.path.length > 0 ? issue.path.join('.') : 'the file'}: ${issue.message}`)
    .join('\n');

/**
 * The category of a posting: the mapped value of its column, otherwise the first matching rule, otherwise
 * the default.
 */
export function categoryOf(
  mapping: CategoryMapping,
  title: string,
  cell: (column: string) => string,
): CategoryId {
  const mappedValue = mapping.column === undefined ? undefined : mapping.values[cell(mapping.column)];
  if (mappedValue !== undefined) return mappedValue;
  // A bound for costly patterns; long texts don't help to pick a category.
  const rule = mapping.rules.find(({ column, match }) =>
    match.test((column === undefined ? title : cell(column)).slice(0, 1_000)),
  );
  return rule?.category ?? mapping.default;
}
