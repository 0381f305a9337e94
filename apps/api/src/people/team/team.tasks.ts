import { defineTask } from '../../platform/tasks/tasks.ts';
import {
  endInvitationInTime,
  endOwnershipInTime,
  expireInvitation,
  expireOwnership,
  mailInvitation,
  mailOwnerNews,
  sendInvitation,
  sendOwnerNews,
} from './team-timers.service.ts';

export const teamTasks = [
  defineTask({ ...sendInvitation, queue: 'messages', run: mailInvitation }),
  defineTask({ ...sendOwnerNews, queue: 'messages', run: mailOwnerNews }),
  defineTask({ ...expireInvitation, run: endInvitationInTime }),
  defineTask({ ...expireOwnership, run: endOwnershipInTime }),
];
