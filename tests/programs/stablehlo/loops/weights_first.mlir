// tolerance: 0.0001
// in: draw 1 -1 9.5367431640625e-07 2097153
// in: draw 2 -1 9.5367431640625e-07 2097153
// in: draw 3 -1 9.5367431640625e-07 2097153
// out: sums 5.24662267 9.30357822 6.91592719 -5.90446755 3.66146149 5.32869425 -3.47922503 -4.46286005 -10.8018009 6.4184788 -4.39695565 3.21871945 -2.30672344 -1.15919909 3.06013053 0.984479603
// cost: 36 instructions, 1788424 ticks
module {
  func.func public @main(%arg0: tensor<5x20x3xf32>, %arg1: tensor<24x20xf32>, %arg2: tensor<24x24xf32>) -> (tensor<5x24x3xf32>) {
    %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %0 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<24x3xf32>
    %cst_0 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %1 = stablehlo.broadcast_in_dim %cst_0, dims = [] : (tensor<f32>) -> tensor<5x24x3xf32>
    %c = stablehlo.constant dense<0> : tensor<i32>
    %2:6 = stablehlo.while(%iterArg = %arg0, %iterArg_1 = %arg1, %iterArg_2 = %arg2, %iterArg_3 = %c, %iterArg_4 = %0, %iterArg_5 = %1) : tensor<5x20x3xf32>, tensor<24x20xf32>, tensor<24x24xf32>, tensor<i32>, tensor<24x3xf32>, tensor<5x24x3xf32>
    cond {
      %c_6 = stablehlo.constant dense<5> : tensor<i32>
      %3 = stablehlo.compare LT, %iterArg_3, %c_6, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
      stablehlo.return %3 : tensor<i1>
    } do {
      %c_6 = stablehlo.constant dense<5> : tensor<i32>
      %3 = stablehlo.subtract %c_6, %iterArg_3 : tensor<i32>
      %c_7 = stablehlo.constant dense<1> : tensor<i32>
      %4 = stablehlo.subtract %3, %c_7 : tensor<i32>
      %5 = func.call @dynamic_index_in_dim(%iterArg, %4) : (tensor<5x20x3xf32>, tensor<i32>) -> tensor<20x3xf32>
      %6:2 = func.call @closed_call(%iterArg_1, %iterArg_2, %iterArg_4, %5) : (tensor<24x20xf32>, tensor<24x24xf32>, tensor<24x3xf32>, tensor<20x3xf32>) -> (tensor<24x3xf32>, tensor<24x3xf32>)
      %7 = func.call @dynamic_update_index_in_dim(%iterArg_5, %6#1, %4) : (tensor<5x24x3xf32>, tensor<24x3xf32>, tensor<i32>) -> tensor<5x24x3xf32>
      %c_8 = stablehlo.constant dense<1> : tensor<i32>
      %8 = stablehlo.add %iterArg_3, %c_8 : tensor<i32>
      stablehlo.return %iterArg, %iterArg_1, %iterArg_2, %8, %6#0, %7 : tensor<5x20x3xf32>, tensor<24x20xf32>, tensor<24x24xf32>, tensor<i32>, tensor<24x3xf32>, tensor<5x24x3xf32>
    }
    return %2#5 : tensor<5x24x3xf32>
  }
  func.func private @dynamic_index_in_dim(%arg0: tensor<5x20x3xf32>, %arg1: tensor<i32>) -> tensor<20x3xf32> {
    %c = stablehlo.constant dense<0> : tensor<i32>
    %c_0 = stablehlo.constant dense<0> : tensor<i32>
    %0 = stablehlo.dynamic_slice %arg0, %arg1, %c, %c_0, sizes = [1, 20, 3] : (tensor<5x20x3xf32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<1x20x3xf32>
    %1 = stablehlo.reshape %0 : (tensor<1x20x3xf32>) -> tensor<20x3xf32>
    return %1 : tensor<20x3xf32>
  }
  func.func private @closed_call(%arg0: tensor<24x20xf32>, %arg1: tensor<24x24xf32>, %arg2: tensor<24x3xf32>, %arg3: tensor<20x3xf32>) -> (tensor<24x3xf32>, tensor<24x3xf32>) {
    %0 = stablehlo.dot_general %arg0, %arg3, contracting_dims = [1] x [0], precision = [DEFAULT, DEFAULT] : (tensor<24x20xf32>, tensor<20x3xf32>) -> tensor<24x3xf32>
    %1 = stablehlo.dot_general %arg1, %arg2, contracting_dims = [1] x [0], precision = [DEFAULT, DEFAULT] : (tensor<24x24xf32>, tensor<24x3xf32>) -> tensor<24x3xf32>
    %2 = stablehlo.add %0, %1 : tensor<24x3xf32>
    %3 = stablehlo.tanh %2 : tensor<24x3xf32>
    return %3, %3 : tensor<24x3xf32>, tensor<24x3xf32>
  }
  func.func private @dynamic_update_index_in_dim(%arg0: tensor<5x24x3xf32>, %arg1: tensor<24x3xf32>, %arg2: tensor<i32>) -> tensor<5x24x3xf32> {
    %0 = stablehlo.broadcast_in_dim %arg1, dims = [1, 2] : (tensor<24x3xf32>) -> tensor<1x24x3xf32>
    %c = stablehlo.constant dense<0> : tensor<i32>
    %c_0 = stablehlo.constant dense<0> : tensor<i32>
    %1 = stablehlo.dynamic_update_slice %arg0, %0, %arg2, %c, %c_0 : (tensor<5x24x3xf32>, tensor<1x24x3xf32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<5x24x3xf32>
    return %1 : tensor<5x24x3xf32>
  }
}
