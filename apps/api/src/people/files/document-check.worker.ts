import { findInOffice, type OfficeFinding, type UnpackLimits } from './active-office.ts';
import { findInPdf, type PdfFinding } from './active-pdf.ts';

export type Document = { kind: 'pdf' | 'office'; bytes: Uint8Array; limits: UnpackLimits };
export type Finding = PdfFinding | OfficeFinding;

/** Runs in its own process (`files.ts`). */
export default ({ kind, bytes, limits }: Document): Promise<Finding | null> | Finding | null =>
  kind === 'pdf' ? findInPdf(bytes, limits.maxBytes) : findInOffice(bytes, limits);
