import { chatReports } from '@nearhand/contract/talk/chat-reports';
import { write } from '../../platform/http/bind.ts';
import { reportChat } from './chat-reports.service.ts';

export const chatReportsRoutes = {
  create: write(chatReports.create, reportChat),
};
