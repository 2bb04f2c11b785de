module example.com/pos-sdk

go 1.19
