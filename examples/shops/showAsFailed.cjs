// The execution fails here. When you press Retry, the notification is read again instead.
const { executionId, details } = $('Explain Failure').first().json;
if ($execution.id === executionId) throw { message: details, stack: '' };
return $('Notification Received').all();
