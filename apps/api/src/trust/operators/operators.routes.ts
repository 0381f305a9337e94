import { operators } from '@nearhand/contract/trust/operators';
import { read, write } from '../../platform/http/bind.ts';
import { endServiceMessage, listServiceMessages, postMessage } from '../service-status/service-status.ts';
import { listMacros, removeMacro, saveMacro } from '../tickets/macros.ts';
import { answerTicket, closeTicket, staffTicket } from '../tickets/staff-tickets.ts';
import { decideChange, listTeam, requestChange, sendChangeMail, withdrawChange } from './operator-changes.ts';
import { decideReport, ownSession, unfreeze } from './operators.ts';

export const operatorsRoutes = {
  session: read(operators.session, ownSession),
  list: read(operators.list, listTeam),
  requestChange: write(operators.requestChange, requestChange),
  decideChange: write(operators.decideChange, decideChange),
  withdrawChange: write(operators.withdrawChange, withdrawChange),
  decideReport: write(operators.decideReport, decideReport),
  unfreeze: write(operators.unfreeze, unfreeze),
  ticket: read(operators.ticket, staffTicket),
  answerTicket: write(operators.answerTicket, answerTicket),
  solveTicket: write(operators.solveTicket, closeTicket),
  macros: read(operators.macros, listMacros),
  saveMacro: write(operators.saveMacro, saveMacro),
  removeMacro: write(operators.removeMacro, removeMacro),
  serviceMessages: read(operators.serviceMessages, listServiceMessages),
  postServiceMessage: write(operators.postServiceMessage, postMessage),
  endServiceMessage: write(operators.endServiceMessage, endServiceMessage),
};

export const operatorsTasks = [sendChangeMail];
