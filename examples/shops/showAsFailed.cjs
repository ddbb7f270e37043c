// A failure ends the execution here. When you press Retry, the notification is read again instead.
const { failure } = $input.first().json;
if (!failure) return [];
const { executionId } = $('Read Notification').first().json;
if ($execution.id === executionId) throw { message: failure, stack: '' };
return $('Notification Received').all();
