// in: draw 1 -1 9.5367431640625e-07 2097153
// in: 11
// out: hash ce6f4c4372a93daa
// cost: 22 instructions, 1252064 ticks
module {
  func.func public @main(%arg0: tensor<130x30xf32>, %arg1: tensor<i32>) -> (tensor<130x4xf32>) {
    %c = stablehlo.constant dense<0> : tensor<i32>
    %0 = stablehlo.compare LT, %arg1, %c, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
    %c_0 = stablehlo.constant dense<30> : tensor<i32>
    %1 = stablehlo.add %arg1, %c_0 : tensor<i32>
    %2 = stablehlo.select %0, %1, %arg1 : tensor<i1>, tensor<i32>
    %c_1 = stablehlo.constant dense<0> : tensor<i32>
    %3 = stablehlo.dynamic_slice %arg0, %c_1, %2, sizes = [130, 4] : (tensor<130x30xf32>, tensor<i32>, tensor<i32>) -> tensor<130x4xf32>
    return %3 : tensor<130x4xf32>
  }
}
