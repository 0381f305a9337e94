import { payouts } from '@nearhand/contract/money/payouts';
import { read, write } from '../../platform/http/bind.ts';
import { defineTask } from '../../platform/tasks/tasks.ts';
import { myBalance } from './balance.ts';
import { clearPayTask } from './clearing.ts';
import { askIdentity, verifyIdentity } from './identities.ts';
import {
  addMethod,
  askForPayeePage,
  makeMethodDefault,
  openPayeePage,
  readPayee,
  refreshPayee,
  removeMethod,
  saveBank,
} from './methods.ts';
import { sendWithdrawal } from './withdrawal-lifecycle.ts';
import { sendWithdrawalTask } from './withdrawal-transitions.ts';
import { cancelWithdrawal, getWithdrawal, myWithdrawals, quoteWithdrawal, withdraw } from './withdrawals.ts';

export const payoutsRoutes = {
  balance: read(payouts.balance, myBalance),
  addMethod: write(payouts.addMethod, addMethod, { prepare: saveBank }),
  openPage: write(payouts.openPage, openPayeePage, { prepare: askForPayeePage }),
  refresh: write(payouts.refresh, refreshPayee, { prepare: readPayee }),
  removeMethod: write(payouts.removeMethod, removeMethod),
  makeMethodDefault: write(payouts.makeMethodDefault, makeMethodDefault),
  verifyIdentity: write(payouts.verifyIdentity, verifyIdentity, { prepare: askIdentity }),
  quote: read(payouts.quote, quoteWithdrawal),
  withdraw: write(payouts.withdraw, withdraw),
  cancel: write(payouts.cancel, cancelWithdrawal),
  withdrawals: read(payouts.withdrawals, myWithdrawals),
  withdrawal: read(payouts.withdrawal, getWithdrawal),
};

export const payoutsTasks = [
  clearPayTask,
  defineTask({
    ...sendWithdrawalTask,
    queue: 'money',
    run: (scope, { withdrawalId }) => sendWithdrawal(scope, withdrawalId),
  }),
];
