/** A worker for the tests: does what it is asked, well or badly. */
export default function work(ask: 'answer' | 'fail' | 'never-end' | 'fill-memory'): string {
  if (ask === 'fail') throw new RangeError('as asked');
  const filled: string[][] = [];
  while (ask !== 'answer') if (ask === 'fill-memory') filled.push([`${filled.length}`]);
  return 'done';
}
