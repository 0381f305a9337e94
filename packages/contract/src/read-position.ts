/**
 * The database's log position after a caller's write. An app without cookies sends it with its reads, so that
 * a replica without the write does not serve them (ADR 260).
 */
export const positionHeader = 'nearhand-position';
