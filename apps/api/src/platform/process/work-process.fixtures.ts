export default function work(ask: 'answer' | 'environment' | 'fail' | 'never-end' | 'fill-memory'): string {
  if (ask === 'environment') return Object.keys(process.env).join();
  if (ask === 'fail') throw new RangeError('as asked');
  const filled: string[][] = [];
  while (ask !== 'answer') if (ask === 'fill-memory') filled.push([`${filled.length}`]);
  return 'done';
}
