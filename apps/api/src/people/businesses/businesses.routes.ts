import { businesses } from '@nearhand/contract/people/businesses';
import { z } from 'zod';
import { read, write } from '../../platform/http/bind.ts';
import { defineTask } from '../../platform/tasks/tasks.ts';
import { closeBusiness, submitBusiness, viewClosing } from './business-lifecycle.ts';
import {
  businessProfile,
  getBusiness,
  myBusinesses,
  registerBusiness,
  updateBusiness,
} from './businesses.ts';
import { checkVatIdTask, recheckVatIds, viewVatIdCheck } from './vat-ids.ts';

export const businessesRoutes = {
  register: write(businesses.register, registerBusiness),
  mine: read(businesses.mine, myBusinesses),
  get: read(businesses.get, getBusiness),
  vatIdCheck: read(businesses.vatIdCheck, viewVatIdCheck),
  profile: read(businesses.profile, businessProfile),
  update: write(businesses.update, updateBusiness),
  submit: write(businesses.submit, submitBusiness),
  closing: read(businesses.closing, viewClosing),
  close: write(businesses.close, closeBusiness),
};

export const businessesTasks = [
  checkVatIdTask,
  defineTask({
    name: 'businesses.recheckVatIds',
    payload: z.object({}).loose(),
    daily: true,
    run: recheckVatIds,
  }),
];
