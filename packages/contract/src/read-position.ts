/**
 * How far the database's log was when a write of the caller was answered. An app without cookies sends it back with its reads, so that a
 * replica that has not seen the write does not answer them (ADR 260).
 */
export const positionHeader = 'nearhand-position';
