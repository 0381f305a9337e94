/** The log position after a write. Apps without cookies send it, so that no stale replica serves them (ADR 260). */
export const positionHeader = 'nearhand-position';
