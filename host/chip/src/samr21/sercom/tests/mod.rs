mod usart;
