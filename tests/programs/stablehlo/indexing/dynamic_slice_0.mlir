// in: draw 1 -1 9.5367431640625e-07 2097153
// in: 0
// out: hash 8aa533410a90a625
// cost: 39 instructions, 1466021 ticks
module {
  func.func public @main(%arg0: tensor<20x30xf32>, %arg1: tensor<i32>) -> (tensor<7x9xf32>) {
    %c = stablehlo.constant dense<0> : tensor<i32>
    %0 = stablehlo.compare LT, %arg1, %c, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
    %c_0 = stablehlo.constant dense<20> : tensor<i32>
    %1 = stablehlo.add %arg1, %c_0 : tensor<i32>
    %2 = stablehlo.select %0, %1, %arg1 : tensor<i1>, tensor<i32>
    %c_1 = stablehlo.constant dense<0> : tensor<i32>
    %3 = stablehlo.compare LT, %arg1, %c_1, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
    %c_2 = stablehlo.constant dense<30> : tensor<i32>
    %4 = stablehlo.add %arg1, %c_2 : tensor<i32>
    %5 = stablehlo.select %3, %4, %arg1 : tensor<i1>, tensor<i32>
    %6 = stablehlo.dynamic_slice %arg0, %2, %5, sizes = [7, 9] : (tensor<20x30xf32>, tensor<i32>, tensor<i32>) -> tensor<7x9xf32>
    return %6 : tensor<7x9xf32>
  }
}
