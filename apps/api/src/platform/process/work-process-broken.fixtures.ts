/** A worker for the tests whose module fails. */
export default function neverLoads(_input: null): void {}

throw new Error('cannot be loaded');
