// tolerance: 2e-05
// in: 2
// in: draw 1 -1 9.5367431640625e-07 2097153
// in: draw 2 -1 9.5367431640625e-07 2097153
// out: sums 14.6866275 -4.69556661 3.88757405 0.896699413 -8.52005423 -10.3861575 -7.24750384 -17.3081106 2.1177569 3.54384047 10.7089098 3.24530694 -7.68399056 10.009887 3.8194618 10.6890965
// cost: 27 instructions, 2016518 ticks
module {
  func.func public @main(%arg0: tensor<i32>, %arg1: tensor<9x30xf32>, %arg2: tensor<3x30x20xf32>) -> (tensor<9x20xf32>) {
    %c = stablehlo.constant dense<0> : tensor<i32>
    %0 = stablehlo.compare LT, %arg0, %c, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
    %c_0 = stablehlo.constant dense<3> : tensor<i32>
    %1 = stablehlo.add %arg0, %c_0 : tensor<i32>
    %2 = stablehlo.select %0, %1, %arg0 : tensor<i1>, tensor<i32>
    %c_1 = stablehlo.constant dense<0> : tensor<i32>
    %c_2 = stablehlo.constant dense<0> : tensor<i32>
    %3 = stablehlo.compare LT, %c_1, %c_2, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
    %c_3 = stablehlo.constant dense<0> : tensor<i32>
    %c_4 = stablehlo.constant dense<30> : tensor<i32>
    %4 = stablehlo.add %c_3, %c_4 : tensor<i32>
    %c_5 = stablehlo.constant dense<0> : tensor<i32>
    %5 = stablehlo.select %3, %4, %c_5 : tensor<i1>, tensor<i32>
    %c_6 = stablehlo.constant dense<0> : tensor<i32>
    %c_7 = stablehlo.constant dense<0> : tensor<i32>
    %6 = stablehlo.compare LT, %c_6, %c_7, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
    %c_8 = stablehlo.constant dense<0> : tensor<i32>
    %c_9 = stablehlo.constant dense<20> : tensor<i32>
    %7 = stablehlo.add %c_8, %c_9 : tensor<i32>
    %c_10 = stablehlo.constant dense<0> : tensor<i32>
    %8 = stablehlo.select %6, %7, %c_10 : tensor<i1>, tensor<i32>
    %9 = stablehlo.dynamic_slice %arg2, %2, %5, %8, sizes = [1, 30, 20] : (tensor<3x30x20xf32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<1x30x20xf32>
    %10 = stablehlo.reshape %9 : (tensor<1x30x20xf32>) -> tensor<30x20xf32>
    %11 = stablehlo.dot_general %arg1, %10, contracting_dims = [1] x [0], precision = [DEFAULT, DEFAULT] : (tensor<9x30xf32>, tensor<30x20xf32>) -> tensor<9x20xf32>
    return %11 : tensor<9x20xf32>
  }
}
