import { line } from '../operation.ts';
import { nameProblem } from './names.rules.ts';

const nameOf = (of: 'person' | 'business') => (max: number) =>
  line(max).refine((name) => nameProblem(name, of) === null, {
    message: 'a name without web addresses and direction marks',
  });

export const personName = nameOf('person');
export const businessName = nameOf('business');
