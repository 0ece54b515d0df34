// in: draw 1 -1000 1 2000
// out: 3 15 11 4 3 10 15 13 17 12 4 12 6 10 13 16 1 10 13 13 19 18 18 16 11 5 2 11 4 8
// out: 11 24 29 6 7 27 9 3 26 27 14 26 22 22 15 16 14 10 3 29
// cost: 344 instructions, 6075489 ticks
module {
  func.func public @main(%arg0: tensor<30x20xi32>) -> (tensor<30xi32>, tensor<20xi32>) {
    %0 = call @argmax(%arg0) : (tensor<30x20xi32>) -> tensor<30xi32>
    %1 = call @argmin(%arg0) : (tensor<30x20xi32>) -> tensor<20xi32>
    return %0, %1 : tensor<30xi32>, tensor<20xi32>
  }
  func.func private @argmax(%arg0: tensor<30x20xi32>) -> tensor<30xi32> {
    %0 = stablehlo.iota dim = 1 : tensor<30x20xi32>
    %c = stablehlo.constant dense<-2147483648> : tensor<i32>
    %c_0 = stablehlo.constant dense<0> : tensor<i32>
    %1:2 = stablehlo.reduce(%arg0 init: %c), (%0 init: %c_0) across dimensions = [1] : (tensor<30x20xi32>, tensor<30x20xi32>, tensor<i32>, tensor<i32>) -> (tensor<30xi32>, tensor<30xi32>)
     reducer(%arg1: tensor<i32>, %arg3: tensor<i32>) (%arg2: tensor<i32>, %arg4: tensor<i32>)  {
      %2 = stablehlo.compare GT, %arg1, %arg3, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
      %3 = stablehlo.compare NE, %arg1, %arg1, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
      %4 = stablehlo.or %2, %3 : tensor<i1>
      %5 = stablehlo.compare EQ, %arg1, %arg3, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
      %6 = stablehlo.compare LT, %arg2, %arg4, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
      %7 = stablehlo.and %5, %6 : tensor<i1>
      %8 = stablehlo.or %4, %7 : tensor<i1>
      %9 = stablehlo.select %4, %arg1, %arg3 : tensor<i1>, tensor<i32>
      %10 = stablehlo.select %8, %arg2, %arg4 : tensor<i1>, tensor<i32>
      stablehlo.return %9, %10 : tensor<i32>, tensor<i32>
    }
    return %1#1 : tensor<30xi32>
  }
  func.func private @argmin(%arg0: tensor<30x20xi32>) -> tensor<20xi32> {
    %0 = stablehlo.iota dim = 0 : tensor<30x20xi32>
    %c = stablehlo.constant dense<2147483647> : tensor<i32>
    %c_0 = stablehlo.constant dense<0> : tensor<i32>
    %1:2 = stablehlo.reduce(%arg0 init: %c), (%0 init: %c_0) across dimensions = [0] : (tensor<30x20xi32>, tensor<30x20xi32>, tensor<i32>, tensor<i32>) -> (tensor<20xi32>, tensor<20xi32>)
     reducer(%arg1: tensor<i32>, %arg3: tensor<i32>) (%arg2: tensor<i32>, %arg4: tensor<i32>)  {
      %2 = stablehlo.compare LT, %arg1, %arg3, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
      %3 = stablehlo.compare NE, %arg1, %arg1, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
      %4 = stablehlo.or %2, %3 : tensor<i1>
      %5 = stablehlo.compare EQ, %arg1, %arg3, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
      %6 = stablehlo.compare LT, %arg2, %arg4, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
      %7 = stablehlo.and %5, %6 : tensor<i1>
      %8 = stablehlo.or %4, %7 : tensor<i1>
      %9 = stablehlo.select %4, %arg1, %arg3 : tensor<i1>, tensor<i32>
      %10 = stablehlo.select %8, %arg2, %arg4 : tensor<i1>, tensor<i32>
      stablehlo.return %9, %10 : tensor<i32>, tensor<i32>
    }
    return %1#1 : tensor<20xi32>
  }
}
