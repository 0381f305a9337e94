export default function neverLoads(_input: null): void {}

throw new Error('cannot be loaded');
