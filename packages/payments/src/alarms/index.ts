// Alarms for operators: raised with the change that causes them, listed and answered.
export { answerAlarm, listAlarmPage, raiseAlarm } from './alarms.js';
