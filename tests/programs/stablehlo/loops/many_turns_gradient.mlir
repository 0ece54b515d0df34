// tolerance: 0.001
// in: draw 6 -1 9.5367431640625e-07 2097153
// in: draw 7 -1 9.5367431640625e-07 2097153
// out: sums -63.4707153 4.20119052 42.0543669 -81.7951535 19.9332324 -25.0541833 3.56388236 22.7683543 7.43907731 -72.0459406 -7.16118322 47.5292961 -8.53339658 -5.9536843 1.28970191 -11.4909605
// out: sums -39.5095382 3.52417706 -70.019942 -99.9359596 18.1993102 -7.18234733 -72.6643738 -38.3579561 -29.6583761 -3.17306053 33.7156775 -68.9321936 60.4998262 22.8419812 88.9693688 17.7759035
// cost: 230 instructions, 23247754 ticks
module {
  func.func public @main(%arg0: tensor<18x3x16xf32>, %arg1: tensor<16x16xf32>) -> (tensor<18x3x16xf32>, tensor<16x16xf32>) {
    %0 = stablehlo.slice %arg0 [0:1, 0:3, 0:16] : (tensor<18x3x16xf32>) -> tensor<1x3x16xf32>
    %1 = stablehlo.reshape %0 : (tensor<1x3x16xf32>) -> tensor<3x16xf32>
    %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %2 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<18x16xf32>
    %cst_0 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %3 = stablehlo.broadcast_in_dim %cst_0, dims = [] : (tensor<f32>) -> tensor<18x3x16xf32>
    %cst_1 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %4 = stablehlo.broadcast_in_dim %cst_1, dims = [] : (tensor<f32>) -> tensor<18x3x16xf32>
    %cst_2 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %5 = stablehlo.broadcast_in_dim %cst_2, dims = [] : (tensor<f32>) -> tensor<18x3x16xf32>
    %c = stablehlo.constant dense<0> : tensor<i32>
    %6:8 = stablehlo.while(%iterArg = %arg0, %iterArg_11 = %arg1, %iterArg_12 = %c, %iterArg_13 = %1, %iterArg_14 = %2, %iterArg_15 = %3, %iterArg_16 = %4, %iterArg_17 = %5) : tensor<18x3x16xf32>, tensor<16x16xf32>, tensor<i32>, tensor<3x16xf32>, tensor<18x16xf32>, tensor<18x3x16xf32>, tensor<18x3x16xf32>, tensor<18x3x16xf32>
    cond {
      %c_18 = stablehlo.constant dense<18> : tensor<i32>
      %20 = stablehlo.compare LT, %iterArg_12, %c_18, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
      stablehlo.return %20 : tensor<i1>
    } do {
      %20 = func.call @dynamic_index_in_dim(%iterArg, %iterArg_12) : (tensor<18x3x16xf32>, tensor<i32>) -> tensor<3x16xf32>
      %21:5 = func.call @closed_call(%iterArg_11, %iterArg_13, %20) : (tensor<16x16xf32>, tensor<3x16xf32>, tensor<3x16xf32>) -> (tensor<3x16xf32>, tensor<16xf32>, tensor<3x16xf32>, tensor<3x16xf32>, tensor<3x16xf32>)
      %22 = func.call @dynamic_update_index_in_dim(%iterArg_14, %21#1, %iterArg_12) : (tensor<18x16xf32>, tensor<16xf32>, tensor<i32>) -> tensor<18x16xf32>
      %23 = func.call @dynamic_update_index_in_dim_0(%iterArg_15, %21#2, %iterArg_12) : (tensor<18x3x16xf32>, tensor<3x16xf32>, tensor<i32>) -> tensor<18x3x16xf32>
      %24 = func.call @dynamic_update_index_in_dim_0(%iterArg_16, %21#3, %iterArg_12) : (tensor<18x3x16xf32>, tensor<3x16xf32>, tensor<i32>) -> tensor<18x3x16xf32>
      %25 = func.call @dynamic_update_index_in_dim_0(%iterArg_17, %21#4, %iterArg_12) : (tensor<18x3x16xf32>, tensor<3x16xf32>, tensor<i32>) -> tensor<18x3x16xf32>
      %c_18 = stablehlo.constant dense<1> : tensor<i32>
      %26 = stablehlo.add %iterArg_12, %c_18 : tensor<i32>
      stablehlo.return %iterArg, %iterArg_11, %26, %21#0, %22, %23, %24, %25 : tensor<18x3x16xf32>, tensor<16x16xf32>, tensor<i32>, tensor<3x16xf32>, tensor<18x16xf32>, tensor<18x3x16xf32>, tensor<18x3x16xf32>, tensor<18x3x16xf32>
    }
    %7 = stablehlo.multiply %6#4, %6#4 : tensor<18x16xf32>
    %cst_3 = stablehlo.constant dense<2.000000e+00> : tensor<f32>
    %8 = stablehlo.broadcast_in_dim %cst_3, dims = [] : (tensor<f32>) -> tensor<18x16xf32>
    %9 = stablehlo.multiply %8, %6#4 : tensor<18x16xf32>
    %cst_4 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %10 = stablehlo.reduce(%7 init: %cst_4) applies stablehlo.add across dimensions = [0, 1] : (tensor<18x16xf32>, tensor<f32>) -> tensor<f32>
    %cst_5 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %11 = stablehlo.broadcast_in_dim %cst_5, dims = [] : (tensor<f32>) -> tensor<18x16xf32>
    %12 = stablehlo.multiply %11, %9 : tensor<18x16xf32>
    %cst_6 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %13 = stablehlo.broadcast_in_dim %cst_6, dims = [] : (tensor<f32>) -> tensor<3x16xf32>
    %cst_7 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %14 = stablehlo.broadcast_in_dim %cst_7, dims = [] : (tensor<f32>) -> tensor<16x16xf32>
    %cst_8 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %15 = stablehlo.broadcast_in_dim %cst_8, dims = [] : (tensor<f32>) -> tensor<18x3x16xf32>
    %c_9 = stablehlo.constant dense<0> : tensor<i32>
    %16:9 = stablehlo.while(%iterArg = %12, %iterArg_11 = %6#5, %iterArg_12 = %6#6, %iterArg_13 = %6#7, %iterArg_14 = %arg1, %iterArg_15 = %c_9, %iterArg_16 = %14, %iterArg_17 = %13, %iterArg_18 = %15) : tensor<18x16xf32>, tensor<18x3x16xf32>, tensor<18x3x16xf32>, tensor<18x3x16xf32>, tensor<16x16xf32>, tensor<i32>, tensor<16x16xf32>, tensor<3x16xf32>, tensor<18x3x16xf32>
    cond {
      %c_19 = stablehlo.constant dense<18> : tensor<i32>
      %20 = stablehlo.compare LT, %iterArg_15, %c_19, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
      stablehlo.return %20 : tensor<i1>
    } do {
      %c_19 = stablehlo.constant dense<18> : tensor<i32>
      %20 = stablehlo.subtract %c_19, %iterArg_15 : tensor<i32>
      %c_20 = stablehlo.constant dense<1> : tensor<i32>
      %21 = stablehlo.subtract %20, %c_20 : tensor<i32>
      %22 = func.call @dynamic_index_in_dim_1(%iterArg, %21) : (tensor<18x16xf32>, tensor<i32>) -> tensor<16xf32>
      %23 = func.call @dynamic_index_in_dim(%iterArg_11, %21) : (tensor<18x3x16xf32>, tensor<i32>) -> tensor<3x16xf32>
      %24 = func.call @dynamic_index_in_dim(%iterArg_12, %21) : (tensor<18x3x16xf32>, tensor<i32>) -> tensor<3x16xf32>
      %25 = func.call @dynamic_index_in_dim(%iterArg_13, %21) : (tensor<18x3x16xf32>, tensor<i32>) -> tensor<3x16xf32>
      %26:3 = func.call @closed_call_2(%iterArg_14, %iterArg_16, %iterArg_17, %22, %23, %24, %25) : (tensor<16x16xf32>, tensor<16x16xf32>, tensor<3x16xf32>, tensor<16xf32>, tensor<3x16xf32>, tensor<3x16xf32>, tensor<3x16xf32>) -> (tensor<16x16xf32>, tensor<3x16xf32>, tensor<3x16xf32>)
      %27 = func.call @dynamic_update_index_in_dim_0(%iterArg_18, %26#2, %21) : (tensor<18x3x16xf32>, tensor<3x16xf32>, tensor<i32>) -> tensor<18x3x16xf32>
      %c_21 = stablehlo.constant dense<1> : tensor<i32>
      %28 = stablehlo.add %iterArg_15, %c_21 : tensor<i32>
      stablehlo.return %iterArg, %iterArg_11, %iterArg_12, %iterArg_13, %iterArg_14, %28, %26#0, %26#1, %27 : tensor<18x16xf32>, tensor<18x3x16xf32>, tensor<18x3x16xf32>, tensor<18x3x16xf32>, tensor<16x16xf32>, tensor<i32>, tensor<16x16xf32>, tensor<3x16xf32>, tensor<18x3x16xf32>
    }
    %17 = stablehlo.broadcast_in_dim %16#7, dims = [1, 2] : (tensor<3x16xf32>) -> tensor<1x3x16xf32>
    %cst_10 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %18 = stablehlo.pad %17, %cst_10, low = [0, 0, 0], high = [17, 0, 0], interior = [0, 0, 0] : (tensor<1x3x16xf32>, tensor<f32>) -> tensor<18x3x16xf32>
    %19 = stablehlo.add %16#8, %18 : tensor<18x3x16xf32>
    return %19, %16#6 : tensor<18x3x16xf32>, tensor<16x16xf32>
  }
  func.func private @dynamic_index_in_dim(%arg0: tensor<18x3x16xf32>, %arg1: tensor<i32>) -> tensor<3x16xf32> {
    %c = stablehlo.constant dense<0> : tensor<i32>
    %c_0 = stablehlo.constant dense<0> : tensor<i32>
    %0 = stablehlo.dynamic_slice %arg0, %arg1, %c, %c_0, sizes = [1, 3, 16] : (tensor<18x3x16xf32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<1x3x16xf32>
    %1 = stablehlo.reshape %0 : (tensor<1x3x16xf32>) -> tensor<3x16xf32>
    return %1 : tensor<3x16xf32>
  }
  func.func private @closed_call(%arg0: tensor<16x16xf32>, %arg1: tensor<3x16xf32>, %arg2: tensor<3x16xf32>) -> (tensor<3x16xf32>, tensor<16xf32>, tensor<3x16xf32>, tensor<3x16xf32>, tensor<3x16xf32>) {
    %0 = stablehlo.dot_general %arg1, %arg0, contracting_dims = [1] x [0], precision = [DEFAULT, DEFAULT] : (tensor<3x16xf32>, tensor<16x16xf32>) -> tensor<3x16xf32>
    %1 = stablehlo.add %0, %arg2 : tensor<3x16xf32>
    %2 = stablehlo.tanh %1 : tensor<3x16xf32>
    %cst = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %3 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<3x16xf32>
    %4 = stablehlo.subtract %3, %2 : tensor<3x16xf32>
    %5 = stablehlo.slice %2 [0:1, 0:16] : (tensor<3x16xf32>) -> tensor<1x16xf32>
    %6 = stablehlo.reshape %5 : (tensor<1x16xf32>) -> tensor<16xf32>
    return %2, %6, %arg1, %2, %4 : tensor<3x16xf32>, tensor<16xf32>, tensor<3x16xf32>, tensor<3x16xf32>, tensor<3x16xf32>
  }
  func.func private @dynamic_update_index_in_dim(%arg0: tensor<18x16xf32>, %arg1: tensor<16xf32>, %arg2: tensor<i32>) -> tensor<18x16xf32> {
    %0 = stablehlo.broadcast_in_dim %arg1, dims = [1] : (tensor<16xf32>) -> tensor<1x16xf32>
    %c = stablehlo.constant dense<0> : tensor<i32>
    %1 = stablehlo.dynamic_update_slice %arg0, %0, %arg2, %c : (tensor<18x16xf32>, tensor<1x16xf32>, tensor<i32>, tensor<i32>) -> tensor<18x16xf32>
    return %1 : tensor<18x16xf32>
  }
  func.func private @dynamic_update_index_in_dim_0(%arg0: tensor<18x3x16xf32>, %arg1: tensor<3x16xf32>, %arg2: tensor<i32>) -> tensor<18x3x16xf32> {
    %0 = stablehlo.broadcast_in_dim %arg1, dims = [1, 2] : (tensor<3x16xf32>) -> tensor<1x3x16xf32>
    %c = stablehlo.constant dense<0> : tensor<i32>
    %c_0 = stablehlo.constant dense<0> : tensor<i32>
    %1 = stablehlo.dynamic_update_slice %arg0, %0, %arg2, %c, %c_0 : (tensor<18x3x16xf32>, tensor<1x3x16xf32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<18x3x16xf32>
    return %1 : tensor<18x3x16xf32>
  }
  func.func private @dynamic_index_in_dim_1(%arg0: tensor<18x16xf32>, %arg1: tensor<i32>) -> tensor<16xf32> {
    %c = stablehlo.constant dense<0> : tensor<i32>
    %0 = stablehlo.dynamic_slice %arg0, %arg1, %c, sizes = [1, 16] : (tensor<18x16xf32>, tensor<i32>, tensor<i32>) -> tensor<1x16xf32>
    %1 = stablehlo.reshape %0 : (tensor<1x16xf32>) -> tensor<16xf32>
    return %1 : tensor<16xf32>
  }
  func.func private @closed_call_2(%arg0: tensor<16x16xf32>, %arg1: tensor<16x16xf32>, %arg2: tensor<3x16xf32>, %arg3: tensor<16xf32>, %arg4: tensor<3x16xf32>, %arg5: tensor<3x16xf32>, %arg6: tensor<3x16xf32>) -> (tensor<16x16xf32>, tensor<3x16xf32>, tensor<3x16xf32>) {
    %0 = stablehlo.broadcast_in_dim %arg3, dims = [1] : (tensor<16xf32>) -> tensor<1x16xf32>
    %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %1 = stablehlo.pad %0, %cst, low = [0, 0], high = [2, 0], interior = [0, 0] : (tensor<1x16xf32>, tensor<f32>) -> tensor<3x16xf32>
    %2 = stablehlo.add %arg2, %1 : tensor<3x16xf32>
    %3 = stablehlo.multiply %2, %arg6 : tensor<3x16xf32>
    %4 = stablehlo.multiply %3, %arg5 : tensor<3x16xf32>
    %5 = stablehlo.add %3, %4 : tensor<3x16xf32>
    %6 = stablehlo.dot_general %5, %arg4, contracting_dims = [0] x [0], precision = [DEFAULT, DEFAULT] : (tensor<3x16xf32>, tensor<3x16xf32>) -> tensor<16x16xf32>
    %7 = stablehlo.transpose %6, dims = [1, 0] : (tensor<16x16xf32>) -> tensor<16x16xf32>
    %8 = stablehlo.add %arg1, %7 : tensor<16x16xf32>
    %9 = stablehlo.dot_general %5, %arg0, contracting_dims = [1] x [1], precision = [DEFAULT, DEFAULT] : (tensor<3x16xf32>, tensor<16x16xf32>) -> tensor<3x16xf32>
    return %8, %9, %5 : tensor<16x16xf32>, tensor<3x16xf32>, tensor<3x16xf32>
  }
}
