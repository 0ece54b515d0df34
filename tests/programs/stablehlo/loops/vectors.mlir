// tolerance: 0.0001
// in: draw 1 -1 9.5367431640625e-07 2097153
// in: draw 2 -1 9.5367431640625e-07 2097153
// out: sums 16.330223 -5.62540168 10.9955182 14.4299851 -1.35568566 14.7976169 -3.55130863 -11.6690689 2.2203647 15.6715607 -10.4950856 -8.45000517 14.4689255 -0.829955385 -9.46780847 -5.42200453
// out: sums -102.944061 -102.573421 -113.179999 -104.587269 -103.584895 -101.891433 -77.2976561 -89.9761402 -88.6609919 -87.2822145 -106.983056 -113.400942 -99.1497909 -96.9355692 -88.928796 -95.7403561
// out: sums -149.06237 -152.927867 -148.870648 -149.881988 -168.001623 -151.707844 -171.46067 -144.590072 -120.958598 -125.230925 -160.97437 -156.337544 -139.314568 -160.919522 -152.113993 -149.191335
// cost: 50 instructions, 7255336 ticks
module {
  func.func public @main(%arg0: tensor<9x2048xf32>, %arg1: tensor<2048xf32>) -> (tensor<2048xf32>, tensor<2048xf32>, tensor<9x2048xf32>) {
    %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %0 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<2048xf32>
    %cst_0 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %1 = stablehlo.broadcast_in_dim %cst_0, dims = [] : (tensor<f32>) -> tensor<2048xf32>
    %cst_1 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %2 = stablehlo.broadcast_in_dim %cst_1, dims = [] : (tensor<f32>) -> tensor<9x2048xf32>
    %c = stablehlo.constant dense<0> : tensor<i32>
    %3:6 = stablehlo.while(%iterArg = %arg0, %iterArg_2 = %arg1, %iterArg_3 = %c, %iterArg_4 = %0, %iterArg_5 = %1, %iterArg_6 = %2) : tensor<9x2048xf32>, tensor<2048xf32>, tensor<i32>, tensor<2048xf32>, tensor<2048xf32>, tensor<9x2048xf32>
    cond {
      %c_7 = stablehlo.constant dense<9> : tensor<i32>
      %4 = stablehlo.compare LT, %iterArg_3, %c_7, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
      stablehlo.return %4 : tensor<i1>
    } do {
      %4 = func.call @dynamic_index_in_dim(%iterArg, %iterArg_3) : (tensor<9x2048xf32>, tensor<i32>) -> tensor<2048xf32>
      %5:3 = func.call @closed_call(%iterArg_2, %iterArg_4, %iterArg_5, %4) : (tensor<2048xf32>, tensor<2048xf32>, tensor<2048xf32>, tensor<2048xf32>) -> (tensor<2048xf32>, tensor<2048xf32>, tensor<2048xf32>)
      %6 = func.call @dynamic_update_index_in_dim(%iterArg_6, %5#2, %iterArg_3) : (tensor<9x2048xf32>, tensor<2048xf32>, tensor<i32>) -> tensor<9x2048xf32>
      %c_7 = stablehlo.constant dense<1> : tensor<i32>
      %7 = stablehlo.add %iterArg_3, %c_7 : tensor<i32>
      stablehlo.return %iterArg, %iterArg_2, %7, %5#0, %5#1, %6 : tensor<9x2048xf32>, tensor<2048xf32>, tensor<i32>, tensor<2048xf32>, tensor<2048xf32>, tensor<9x2048xf32>
    }
    return %3#3, %3#4, %3#5 : tensor<2048xf32>, tensor<2048xf32>, tensor<9x2048xf32>
  }
  func.func private @dynamic_index_in_dim(%arg0: tensor<9x2048xf32>, %arg1: tensor<i32>) -> tensor<2048xf32> {
    %c = stablehlo.constant dense<0> : tensor<i32>
    %0 = stablehlo.dynamic_slice %arg0, %arg1, %c, sizes = [1, 2048] : (tensor<9x2048xf32>, tensor<i32>, tensor<i32>) -> tensor<1x2048xf32>
    %1 = stablehlo.reshape %0 : (tensor<1x2048xf32>) -> tensor<2048xf32>
    return %1 : tensor<2048xf32>
  }
  func.func private @closed_call(%arg0: tensor<2048xf32>, %arg1: tensor<2048xf32>, %arg2: tensor<2048xf32>, %arg3: tensor<2048xf32>) -> (tensor<2048xf32>, tensor<2048xf32>, tensor<2048xf32>) {
    %0 = stablehlo.multiply %arg1, %arg0 : tensor<2048xf32>
    %1 = stablehlo.add %0, %arg3 : tensor<2048xf32>
    %2 = stablehlo.tanh %1 : tensor<2048xf32>
    %cst = stablehlo.constant dense<0.899999976> : tensor<f32>
    %3 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<2048xf32>
    %4 = stablehlo.multiply %arg2, %3 : tensor<2048xf32>
    %5 = stablehlo.negate %2 : tensor<2048xf32>
    %6 = stablehlo.minimum %4, %5 : tensor<2048xf32>
    %7 = stablehlo.multiply %6, %2 : tensor<2048xf32>
    return %2, %6, %7 : tensor<2048xf32>, tensor<2048xf32>, tensor<2048xf32>
  }
  func.func private @dynamic_update_index_in_dim(%arg0: tensor<9x2048xf32>, %arg1: tensor<2048xf32>, %arg2: tensor<i32>) -> tensor<9x2048xf32> {
    %0 = stablehlo.broadcast_in_dim %arg1, dims = [1] : (tensor<2048xf32>) -> tensor<1x2048xf32>
    %c = stablehlo.constant dense<0> : tensor<i32>
    %1 = stablehlo.dynamic_update_slice %arg0, %0, %arg2, %c : (tensor<9x2048xf32>, tensor<1x2048xf32>, tensor<i32>, tensor<i32>) -> tensor<9x2048xf32>
    return %1 : tensor<9x2048xf32>
  }
}
