// tolerance: 2e-05
// in: draw 1 -1 9.5367431640625e-07 2097153
// in: draw 2 -1 9.5367431640625e-07 2097153
// out: sums -3.21478877 0.672019248 -4.05996081 -2.93321756 -0.748027325 3.90293985 0.260937543 3.34797102 1.91480022 -1.28650596 -2.30298632 -3.78286865 -6.45916553 -2.53349353 2.21592493 -5.66940599
// cost: 5 instructions, 666219 ticks
module {
  func.func public @main(%arg0: tensor<65x40xf32>, %arg1: tensor<65x40xf32>) -> (tensor<65x40xf32>) {
    %0 = call @silu(%arg0) : (tensor<65x40xf32>) -> tensor<65x40xf32>
    %1 = stablehlo.multiply %0, %arg1 : tensor<65x40xf32>
    return %1 : tensor<65x40xf32>
  }
  func.func private @silu(%arg0: tensor<65x40xf32>) -> tensor<65x40xf32> {
    %0 = stablehlo.negate %arg0 : tensor<65x40xf32>
    %1 = stablehlo.exponential %0 : tensor<65x40xf32>
    %cst = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %2 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<65x40xf32>
    %3 = stablehlo.add %2, %1 : tensor<65x40xf32>
    %cst_0 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %4 = stablehlo.broadcast_in_dim %cst_0, dims = [] : (tensor<f32>) -> tensor<65x40xf32>
    %5 = stablehlo.divide %4, %3 : tensor<65x40xf32>
    %6 = stablehlo.multiply %arg0, %5 : tensor<65x40xf32>
    return %6 : tensor<65x40xf32>
  }
}
