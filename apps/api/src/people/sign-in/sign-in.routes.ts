import { signIn } from '@nearhand/contract/people/sign-in';
import { read } from '../../platform/http/bind.ts';
import { secondStep, signInOptions } from './sign-in.service.ts';

export const signInRoutes = {
  options: read(signIn.options, signInOptions),
  secondStep: read(signIn.secondStep, secondStep),
};
