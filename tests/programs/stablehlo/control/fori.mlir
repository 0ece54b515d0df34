// tolerance: 0.0001
// in: draw 1 -1 9.5367431640625e-07 2097153
// in: draw 2 -1 9.5367431640625e-07 2097153
// out: sums 5.97440208 -3.93280618 1.56840704 4.71300432 9.39147539 -18.7687377 1.19211607 1.86763836 7.54193256 -9.16133987 -0.383759808 -2.2861472 11.5508909 -3.56011634 3.43533229 2.22444434
// cost: 17 instructions, 1093657 ticks
module {
  func.func public @main(%arg0: tensor<20x30xf32>, %arg1: tensor<30x30xf32>) -> (tensor<20x30xf32>) {
    %c = stablehlo.constant dense<0> : tensor<i32>
    %c_0 = stablehlo.constant dense<0> : tensor<i32>
    %0:4 = stablehlo.while(%iterArg = %arg1, %iterArg_1 = %c_0, %iterArg_2 = %c, %iterArg_3 = %arg0) : tensor<30x30xf32>, tensor<i32>, tensor<i32>, tensor<20x30xf32>
    cond {
      %c_4 = stablehlo.constant dense<5> : tensor<i32>
      %1 = stablehlo.compare LT, %iterArg_1, %c_4, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
      stablehlo.return %1 : tensor<i1>
    } do {
      %1:2 = func.call @closed_call(%iterArg, %iterArg_2, %iterArg_3) : (tensor<30x30xf32>, tensor<i32>, tensor<20x30xf32>) -> (tensor<i32>, tensor<20x30xf32>)
      %c_4 = stablehlo.constant dense<1> : tensor<i32>
      %2 = stablehlo.add %iterArg_1, %c_4 : tensor<i32>
      stablehlo.return %iterArg, %2, %1#0, %1#1 : tensor<30x30xf32>, tensor<i32>, tensor<i32>, tensor<20x30xf32>
    }
    return %0#3 : tensor<20x30xf32>
  }
  func.func private @closed_call(%arg0: tensor<30x30xf32>, %arg1: tensor<i32>, %arg2: tensor<20x30xf32>) -> (tensor<i32>, tensor<20x30xf32>) {
    %c = stablehlo.constant dense<1> : tensor<i32>
    %0 = stablehlo.add %arg1, %c : tensor<i32>
    %1 = stablehlo.dot_general %arg2, %arg0, contracting_dims = [1] x [0], precision = [DEFAULT, DEFAULT] : (tensor<20x30xf32>, tensor<30x30xf32>) -> tensor<20x30xf32>
    %2 = stablehlo.tanh %1 : tensor<20x30xf32>
    return %0, %2 : tensor<i32>, tensor<20x30xf32>
  }
}
